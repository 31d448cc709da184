/** `Life`: what a run is doing now, or waits for. The ways between them stand in `state/run-state.ts`. */
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
  | {
      readonly type: 'waiting';
      readonly for: 'time' | 'host' | 'person';
      readonly until: number | null;
      readonly reason: string;
      /** A person stopped it: `resume` goes on. `question`: what was open then. */
      readonly stopped?: { readonly question: string | null };
    }
  | {
      readonly type: 'ended';
      readonly state: 'delivered' | 'unverified' | 'abandoned';
      readonly reason: string;
    };
