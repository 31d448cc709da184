/**
 * `Life`: what a run is doing now, or waits for, with everything that means something only there. A life is replaced as a whole
 * (`state/life-after.ts`). The ways between them stand in `state/run-state.ts`.
 */
import type { EndedBy } from './examination.ts';

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
      /** First: trying the same again is the same delivery. Absent in lives that older journals carry. */
      readonly decidedAt?: number;
    }
  | Waiting
  | {
      readonly type: 'ended';
      readonly state: 'delivered' | 'unverified' | 'abandoned';
      readonly reason: string;
      readonly at: number;
      readonly released: boolean;
      /** A person took it from the lists. */
      readonly removed: boolean;
    };

export interface Waiting {
  readonly type: 'waiting';
  readonly for: 'time' | 'host' | 'person';
  readonly until: number | null;
  readonly reason: string;
  /** Id of the open question. A run that waits for room on the disk asks too, though it goes on by itself. */
  readonly question: string | null;
  /** What the machine could not do, and where the run stood: a person's "try again" means that. */
  readonly failed: { readonly command: string; readonly life: Life } | null;
  /** A person stopped it: `resume` goes on. `question`: what was open then. */
  readonly stopped?: { readonly question: string | null };
}
