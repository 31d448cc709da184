/** `stateWord`: the one word that a person sees for the state of a run. */
import type { RunState } from '../state/run-state.ts';

export type StateWord =
  | 'queued'
  | 'working'
  | 'waiting'
  | 'stopping'
  | 'rescuing'
  | 'delivered'
  | 'unverified'
  | 'abandoned';

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
