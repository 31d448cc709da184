/** `stateWord`: the one word that a person sees for the state of a run. `STATE_WORDS`: all of them. */
import type { RunState } from '../state/run-state.ts';

export const STATE_WORDS = [
  'queued',
  'working',
  'waiting',
  'stopping',
  'delivered',
  'unverified',
  'abandoned',
] as const;
export type StateWord = (typeof STATE_WORDS)[number];

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
