/** `Consequence`, `Changes`, `givesRights`: what an option of a question will do, computed when it is asked. */
import type { HoldNotice } from '../hold.ts';
import type { Approval, BlockerKey, StoredKey } from './approval.ts';
import type { Budget, SinkSpec } from '../task.ts';

export type Consequence =
  | { readonly type: 'abandon' }
  /** The agent goes on and is told either the option that the person chose or only their note. */
  | { readonly type: 'tell_agent'; readonly told: 'option' | 'answer' }
  /** Phase 4: a rescue mission whose injection is the person's note. */
  | { readonly type: 'rescue' }
  | { readonly type: 'raise_budget'; readonly budget: Budget }
  | { readonly type: 'allow_tools'; readonly tools: readonly string[] }
  | { readonly type: 'pass_variables'; readonly names: readonly string[] }
  | { readonly type: 'skip_setup' }
  /** `from`: the step that is repeated. `checks`: commands that become checks of this run. */
  | {
      readonly type: 'try_again';
      readonly from: 'preparation' | 'agent' | 'examination' | 'gate';
      readonly checks: readonly string[];
    }
  /** The run starts in spite of a full disk. */
  | { readonly type: 'start_anyway' }
  | { readonly type: 'set_scope'; readonly allowed: readonly string[] }
  /** The note names the globs. */
  | { readonly type: 'name_scope' }
  /** `for`: the agent asked for it and goes on; without it the gate is asked again. */
  | { readonly type: 'widen_scope'; readonly globs: readonly string[]; readonly for?: 'agent' }
  /** Lifts exactly these blockers. `judges`: those that it decides for the whole run; in older journals the question alone. */
  | {
      readonly type: 'approve';
      readonly keys: readonly StoredKey[];
      readonly judges: readonly StoredKey[];
      readonly confirms: ConfirmedProposal | null;
    }
  /** The work is accepted as it is. */
  | { readonly type: 'accept' }
  | { readonly type: 'change_sink'; readonly sink: SinkSpec }
  /** A note of one word names another branch. Without a note the branch is `branch`; if that is null, the sink stays as it was. */
  | { readonly type: 'fix_sink'; readonly branch: string | null }
  | { readonly type: 'split_work' }
  | { readonly type: 'rebase' };

/** Whether an option of this type gives an agent more than it has. A type that is added is decided here. */
// biome-ignore format: words stand together
const GIVES: Readonly<Record<Consequence['type'], boolean>> = {
  allow_tools: true, pass_variables: true,
  abandon: false, tell_agent: false, rescue: false, raise_budget: false, try_again: false, start_anyway: false, set_scope: false,
  name_scope: false, widen_scope: false, approve: false, accept: false, change_sink: false, fix_sink: false, split_work: false,
  rebase: false, skip_setup: false,
};

/** Whether the option gives tools or variables, or a command that is none of the run's `checks`: only the owner of the machine may. */
export function givesRights(then: Consequence, checks: readonly string[]): boolean {
  const confirmed = then.type === 'approve' ? (then.confirms?.checks ?? []) : [];
  const added = then.type === 'try_again' ? then.checks : confirmed;
  return GIVES[then.type] || added.some((command) => !checks.includes(command));
}

/** What an exploring agent proposed, in the form that the run adopts. */
export interface ConfirmedProposal {
  readonly scope: readonly string[];
  /** All checks of the run from then on. */
  readonly checks: readonly string[];
}

/** A decision that a person took during the run. */
export interface Judgment {
  readonly question: string;
  readonly answer: string;
  readonly by: string;
  /** The blocker that asked for it; absent in older journals. */
  readonly key?: BlockerKey;
}

export interface Changes {
  readonly budget?: Budget;
  readonly scope?: { readonly allowed: readonly string[]; readonly by: string };
  readonly staleScope?: readonly string[];
  readonly explore?: 'off' | 'confirmed';
  readonly permissions?: readonly string[];
  readonly environment?: readonly string[];
  /** The run has no set-up from then on. */
  readonly setup?: null;
  readonly checks?: readonly string[];
  readonly sink?: SinkSpec;
  readonly holds?: readonly HoldNotice[];
  readonly holdsOverruledAt?: number;
  readonly accepted?: { readonly by: string; readonly note: string };
  readonly abandonAsked?: { readonly by: string; readonly reason: string };
  readonly approval?: Approval;
  /** These are added to the existing judgments. */
  readonly judgments?: readonly Judgment[];
}
