/** `consequenceOf`: what an option of a question does to this run, with its new values. It is decided only here. */
import { BLOCKERS, isBlockerCode } from '../../vocabulary/blockers/blocker.ts';
import type { Blocker } from '../../vocabulary/blockers/blocker-rule.ts';
import { blockerKey } from '../../vocabulary/blockers/blocker-key.ts';
import type { Changes, ConfirmedProposal, Consequence } from '../../vocabulary/questions/consequence.ts';
import { literalGlob } from '../../text/glob.ts';
import { DISK_QUESTION } from '../../vocabulary/questions/question.ts';
import type { AgentOption, OptionId } from '../../vocabulary/questions/resolution.ts';
import { openIncident, type RunState, scopeLeft } from '../../state/run-state.ts';
import { type Budget, ownBranch } from '../../vocabulary/task.ts';
import { faultyCheck } from '../machine-fault.ts';
import { unableCheck } from '../unable-check.ts';

/** A narrowed task gets this share of its first budget on top. */
const NARROWER_SHARE = 0.25;

/** `about`: the blockers that an approval would lift. */
export function consequenceOf(
  state: RunState,
  { kind, about }: { readonly kind: string; readonly about: readonly Blocker[] },
  option: OptionId,
): Consequence {
  switch (option) {
    case 'abandon':
    case 'split_work':
    case 'rebase':
    case 'rescue':
    case 'skip_setup':
      return { type: option };
    case 'reply':
      return { type: 'tell_agent', told: 'answer' };
    case 'expand_scope':
      return scopeChange(state);
    case 'allow': {
      // "all" would switch off every permission question. Only the configuration may say that, never an answer.
      const denied = state.attempts.at(-1)?.examination?.deniedTools ?? [];
      return { type: 'allow_tools', tools: denied.filter((rule) => rule !== 'all') };
    }
    case 'pass_env':
      return { type: 'pass_variables', names: state.attempts.at(-1)?.examination?.withheld ?? [] };
    case 'raise_budget':
      return { type: 'raise_budget', budget: raised(state, 1) };
    case 'revise_work':
      return state.incidents.at(-1)?.class === 'budget_exhausted'
        ? { type: 'raise_budget', budget: raised(state, NARROWER_SHARE) }
        : { type: 'tell_agent', told: 'option' };
    case 'fix_sink': {
      const isTaken = state.sink.type === 'branch' && hasCode(state.delivery.blockers, 'sink_drifted');
      return { type: 'fix_sink', branch: isTaken ? ownBranch(state.runId) : null };
    }
    case 'choose_patch_output':
      return { type: 'change_sink', sink: { type: 'patch', file: '', againstBase: true } };
    case 'retry':
      return kind === DISK_QUESTION ? { type: 'start_anyway' } : tryAgain(state, about);
    case 'record_judgment':
      return approve(state, about);
    case 'waive_with_reason':
      return about.length === 0 ? { type: 'accept' } : approve(state, about);
    case 'answer_question':
      // If the agent raised a flag under that name, the answer goes to the agent.
      return about.length > 0 && hasCode(state.delivery.blockers, 'decision_pending')
        ? approve(state, about)
        : { type: 'tell_agent', told: 'answer' };
    case 'add_verification':
      return { type: 'tell_agent', told: 'option' };
    default:
      // A resolution without a case above does not compile here.
      option satisfies AgentOption;
      return { type: 'tell_agent', told: 'option' };
  }
}

function scopeChange(state: RunState): Consequence {
  if (hasCode(state.delivery.blockers, 'scope_stale')) {
    const left = scopeLeft(state);
    return left.length > 0 ? { type: 'set_scope', allowed: left } : { type: 'name_scope' };
  }
  if (hasCode(state.delivery.blockers, 'scope_missing')) return { type: 'set_scope', allowed: ['**'] };
  const paths = state.delivery.blockers.flatMap((one) =>
    one.code === 'scope_exceeded' && one.source !== 'said' ? one.paths : [],
  );
  const asked = state.attempts.at(-1)?.examination?.raised?.scope ?? [];
  // The agent stopped to ask: with the wider scope it goes on, where a gate would judge half of its work.
  if (paths.length === 0 && asked.length > 0) return { type: 'widen_scope', globs: asked, for: 'agent' };
  return { type: 'widen_scope', globs: paths.map(literalGlob) };
}

function tryAgain(state: RunState, about: readonly Blocker[]): Consequence {
  // "Run it" for a check that a policy requires: from now on it is a check of this run.
  const commands = about.flatMap((one) =>
    one.code === 'check_not_recorded' && one.source !== 'said' ? [one.command] : [],
  );
  const checks = commands.filter((command) => !state.task.checks.includes(command));
  if (state.attempts.length === 0 && unableCheck(state) !== undefined)
    return { type: 'try_again', from: 'preparation', checks };
  if (hasCode(about, 'work_not_saved')) return { type: 'try_again', from: 'examination', checks };
  const isGate =
    state.delivery.blockers[0]?.code === 'check_not_recorded' ||
    faultyCheck(state, openIncident(state)) !== undefined;
  return { type: 'try_again', from: isGate ? 'gate' : 'agent', checks };
}

function approve(state: RunState, about: readonly Blocker[]): Consequence {
  const isConfirmed = state.explore === 'proposed' && about.some(({ source }) => source === 'proposal');
  return {
    type: 'approve',
    keys: about.map(blockerKey),
    judges: about.filter(isDecidedForRun).map(blockerKey),
    confirms: isConfirmed ? proposalTaken(state) : null,
  };
}

export function proposalTaken({ proposal, scope, task }: RunState): ConfirmedProposal {
  const more = (proposal?.checks ?? []).filter((command) => !task.checks.includes(command));
  const proposed = proposal?.scope ?? [];
  return { scope: proposed.length > 0 ? proposed : scope.allowed, checks: [...task.checks, ...more] };
}

export function confirmedProposal({ scope, checks }: ConfirmedProposal, by: string): Changes {
  const confirmed = { allowed: scope, by: `proposed by the agent, confirmed by ${by}` };
  return { explore: 'confirmed', scope: confirmed, checks };
}

function isDecidedForRun({ code, source }: Blocker): boolean {
  return isBlockerCode(code) && BLOCKERS[code].isDecidedForRun?.(source) === true;
}

function hasCode(blockers: readonly Blocker[], code: Blocker['code']): boolean {
  return blockers.some((one) => one.code === code);
}

function raised({ budget, task }: RunState, share: number): Budget {
  const add = (now: number | null, first: number | null) =>
    now === null ? null : now + (first ?? 0) * share;
  return {
    tokens: add(budget.tokens, task.budget.tokens),
    usd: add(budget.usd, task.budget.usd),
    turns: add(budget.turns, task.budget.turns),
    wallClockMs: add(budget.wallClockMs, task.budget.wallClockMs),
  };
}
