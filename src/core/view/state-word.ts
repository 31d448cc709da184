/** `stateWord`, `LINE_WORDS`, `wordText`: the state of a run in one word, and the words of a list, the most urgent first. */
import { NOT_PROVEN } from '../vocabulary/proof.ts';
import type { RunState } from '../state/run-state.ts';

const STATE_WORDS = [
  'queued',
  'working',
  'waiting',
  'stopping',
  'delivered',
  'unverified',
  'abandoned',
] as const;
export type StateWord = (typeof STATE_WORDS)[number];

/**
 * `needs_you` only while a question is open: everything else goes on without a person. `rescuing`: works while an incident is open.
 * `preparing`: no agent has begun yet. `not_proven`: delivered, not proven, whether a gate was waived or there was none (`unverified`).
 */
export const LINE_WORDS = [
  'needs_you',
  'stopped',
  'rescuing',
  'preparing',
  'not_proven',
  ...STATE_WORDS,
] as const;
export type LineWord = (typeof LINE_WORDS)[number];

export function wordText(word: LineWord): string {
  return word === 'not_proven' || word === 'unverified' ? NOT_PROVEN : word.replaceAll('_', ' ');
}

export function stateWord({ life }: RunState): StateWord {
  switch (life.type) {
    case 'queued':
      return 'queued';
    case 'preparing':
    case 'working':
    case 'examining':
    case 'checking':
    case 'delivering':
      return 'working';
    case 'stopping':
      return 'stopping';
    case 'waiting':
      return 'waiting';
    case 'ended':
      return life.state;
  }
}
