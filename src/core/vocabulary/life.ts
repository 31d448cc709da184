/** `Life`: what a run is doing now or waits for, with its data. `state/run-state.ts` shows the transitions. */
import type { EndedBy } from './events/examination.ts';

export type Life =
  | { readonly type: 'queued' }
  | { readonly type: 'preparing' }
  | { readonly type: 'working'; readonly attempt: number }
  | { readonly type: 'stopping'; readonly attempt: number; readonly why: string; readonly by: EndedBy }
  | { readonly type: 'examining'; readonly attempt: number }
  | { readonly type: 'checking'; readonly tree: string }
  | {
      readonly type: 'delivering';
      readonly tree: string;
      readonly unverified: boolean;
      readonly salvage: string | null;
      /** The time of the first decision: trying the same again is the same delivery. Absent in lives of older journals. */
      readonly decidedAt?: number;
    }
  | Waiting
  | {
      readonly type: 'ended';
      readonly state: 'delivered' | 'unverified' | 'abandoned';
      readonly reason: string;
      readonly at: number;
      readonly released: boolean;
      /** A person removed the run from the lists. */
      readonly removed: boolean;
    };

export interface Waiting {
  readonly type: 'waiting';
  readonly for: 'time' | 'host' | 'person';
  readonly until: number | null;
  readonly reason: string;
  /** The id of the open question. A run that waits for room on the disk asks too, although it goes on by itself. */
  readonly question: string | null;
  /** The command that failed because of the machine, and the life at that time. A person's "try again" repeats it. */
  readonly failed: { readonly command: string; readonly life: Life } | null;
  /** A person stopped the run; `resume` goes on. `question`: the question that was open then. */
  readonly stopped?: { readonly question: string | null };
}
