/**
 * `Consequence`: what taking an option of a question will do, worked out when it is asked and stored with it.
 * `Changes`: the new values that an answer, or a policy in a person's place, gives the run; journaled, and copied by the fold.
 */
import type { HoldNotice } from './hold.ts';
import type { Approval } from './approval.ts';
import type { Budget, SinkSpec } from './task.ts';

export type Consequence =
  | { readonly type: 'abandon' }
  /** The agent goes on and is told: the option that the person took, or their answer alone. */
  | { readonly type: 'tell_agent'; readonly told: 'option' | 'answer' }
  | { readonly type: 'raise_budget'; readonly budget: Budget }
  | { readonly type: 'allow_tools'; readonly tools: readonly string[] }
  | { readonly type: 'pass_variables'; readonly names: readonly string[] }
  /** `from`: what is done again. `checks`: become checks of this run. */
  | {
      readonly type: 'try_again';
      readonly from: 'preparation' | 'agent' | 'examination' | 'gate';
      readonly checks: readonly string[];
    }
  /** In spite of a full disk. */
  | { readonly type: 'start_anyway' }
  | { readonly type: 'set_scope'; readonly allowed: readonly string[] }
  /** The note names the globs. */
  | { readonly type: 'name_scope' }
  | { readonly type: 'widen_scope'; readonly globs: readonly string[] }
  /** Lifts exactly these blockers; `judges`: questions that are decided with it for the whole run. */
  | {
      readonly type: 'approve';
      readonly keys: readonly string[];
      readonly judges: readonly string[];
      readonly confirms: ConfirmedProposal | null;
    }
  /** The work is taken as it is. */
  | { readonly type: 'accept' }
  | { readonly type: 'change_sink'; readonly sink: SinkSpec }
  /** A note of one word names another branch; without one it is `branch`, or null: the sink as it was. */
  | { readonly type: 'fix_sink'; readonly branch: string | null }
  | { readonly type: 'split_work' }
  | { readonly type: 'rebase' };

/** What an exploring agent proposed, as the run takes it over. */
export interface ConfirmedProposal {
  readonly scope: readonly string[];
  /** All checks of the run from then on. */
  readonly checks: readonly string[];
}

export interface Changes {
  readonly budget?: Budget;
  readonly scope?: { readonly allowed: readonly string[]; readonly by: string };
  readonly staleScope?: readonly string[];
  readonly explore?: 'off' | 'confirmed';
  readonly permissions?: readonly string[];
  readonly environment?: readonly string[];
  readonly checks?: readonly string[];
  readonly sink?: SinkSpec;
  readonly holds?: readonly HoldNotice[];
  readonly holdsOverruledAt?: number;
  readonly accepted?: { readonly by: string; readonly note: string };
  readonly abandonAsked?: { readonly by: string; readonly reason: string };
  readonly approval?: Approval;
  /** Beside those that there are. */
  readonly judgments?: readonly { readonly question: string; readonly answer: string; readonly by: string }[];
}
