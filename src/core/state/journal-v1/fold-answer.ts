/**
 * `foldAnswer`: computes what an answer of a version-1 journal changed. Frozen: there the fold computed the changes from the option;
 * today the journal tells them (`answer_applied`). It reads the sentences in which such journals described blockers.
 */
import type { Blocker } from '../../vocabulary/blockers/blocker-rule.ts';
import { blockerEvidence } from '../../vocabulary/blockers/blocker-evidence.ts';
import { isKeyOf } from '../../vocabulary/blockers/blocker-key.ts';
import { type Approval, approvalId } from '../../vocabulary/questions/approval.ts';
import { literalGlob } from '../../text/glob.ts';
import { DISK_QUESTION, type Question } from '../../vocabulary/questions/question.ts';
import { type RunState, scopeLeft } from '../run-state.ts';
import { type Budget, ownBranch } from '../../vocabulary/task.ts';

/** A narrowed task gets that share of its first budget on top. */
const NARROWER_SHARE = 0.25;

interface Answered {
  readonly asked: Question | undefined;
  readonly option: string;
  readonly note: string;
  readonly by: string;
  readonly at: number;
  readonly seq: number;
}

export function foldAnswer(state: RunState, answer: Answered): Partial<RunState> {
  switch (answer.option) {
    case 'abandon':
      return { asked: { ...state.asked, abandon: { by: answer.by, reason: answer.note } } };
    case 'expand_scope':
      return widerScope(state, answer);
    case 'allow': {
      // "all" would switch every question off; that is a word for the configuration, never for an answer.
      const denied = (state.attempts.at(-1)?.examination?.deniedTools ?? []).filter((rule) => rule !== 'all');
      return { options: { ...state.options, permissions: [...state.options.permissions, ...denied] } };
    }
    case 'pass_env': {
      const withheld = state.attempts.at(-1)?.examination?.withheld ?? [];
      return { options: { ...state.options, environment: [...state.options.environment, ...withheld] } };
    }
    case 'raise_budget':
      return { budget: raised(state.budget, state.task.budget, 1) };
    case 'revise_work':
      return state.incidents.at(-1)?.class === 'budget_exhausted'
        ? { budget: raised(state.budget, state.task.budget, NARROWER_SHARE) }
        : {};
    case 'fix_sink':
      return otherBranch(state, answer.note.trim());
    case 'choose_patch_output':
      return { sink: { type: 'patch', file: '', againstBase: true } };
    case 'retry':
      if (answer.asked?.kind === DISK_QUESTION)
        return { holds: state.holds.filter(({ kind }) => kind !== 'disk'), holdsOverruledAt: answer.at };
      return checksTrusted(state, answer.asked);
    case 'record_judgment':
    case 'waive_with_reason':
    case 'answer_question':
      return judged(state, answer);
    default:
      return {};
  }
}

function widerScope(state: RunState, { by, note }: Answered): Partial<RunState> {
  if (state.delivery.blockers.some(({ code }) => code === 'scope_stale')) {
    const left = scopeLeft(state);
    const allowed = left.length > 0 ? left : namedScope(note);
    // Nothing left and nothing named: it stays what it was, which opens nothing.
    if (allowed.length === 0) return {};
    return { scope: { allowed, by: `confirmed by ${by}` }, staleScope: [], explore: confirmed(state) };
  }
  if (state.delivery.blockers.some(({ code }) => code === 'scope_missing'))
    return { scope: { allowed: ['**'], by: `confirmed by ${by}` }, explore: confirmed(state) };
  const paths = state.delivery.blockers
    .filter(({ code }) => code === 'scope_exceeded')
    .flatMap((one) => blockerEvidence(one).map(literalGlob));
  return {
    scope: { allowed: [...state.scope.allowed, ...paths], by: `${state.scope.by}; widened by ${by}` },
  };
}

/** Globs as a person names them in a note, with spaces between. */
function namedScope(note: string): readonly string[] {
  return note.split(/\s+/).filter((glob) => glob !== '');
}

function confirmed({ explore }: RunState): RunState['explore'] {
  return explore === 'off' ? 'off' : 'confirmed';
}

/** A note of one word names the branch; more words are words, and the sink is as it was. */
function otherBranch({ sink, runId, delivery }: RunState, note: string): Partial<RunState> {
  if (sink.type !== 'branch') return {};
  if (note !== '' && !/\s/.test(note))
    return { sink: { type: 'branch', name: note.replace(/^branch:/, '') } };
  const isTaken = delivery.blockers.some(({ code }) => code === 'sink_drifted');
  return isTaken && note === '' ? { sink: { type: 'branch', name: ownBranch(runId) } } : {};
}

/** "Run it" about a check that a policy requires: from now on it is a check of this run. */
function checksTrusted(state: RunState, asked: Question | undefined): Partial<RunState> {
  const commands = inQuestion(state, asked)
    .filter(({ code }) => code === 'check_not_recorded')
    .flatMap((one) => blockerEvidence(one).slice(0, 1))
    .filter((command) => !state.task.checks.includes(command));
  return commands.length === 0
    ? {}
    : { task: { ...state.task, checks: [...state.task.checks, ...commands] } };
}

function judged(state: RunState, { asked, option, note, by, at, seq }: Answered): Partial<RunState> {
  const about = asked?.about;
  if (
    option === 'answer_question' &&
    !state.delivery.blockers.some(({ code }) => code === 'decision_pending')
  )
    return {};
  if (about === undefined || about.blockers.length === 0)
    return option === 'waive_with_reason' ? { delivery: { ...state.delivery, accepted: { by, note } } } : {};
  const { tree, attempt, blockers: keys } = about;
  const approval: Approval = {
    id: approvalId(state.runId, seq),
    question: asked?.id ?? '',
    option,
    by,
    note,
    at,
    tree,
    attempt,
    keys,
    used: false,
  };
  const lifted = inQuestion(state, asked);
  const judgments = lifted
    .filter((one) => JUDGMENTS.has(one.code) && !isAboutTree(one))
    .map((one) => ({ question: blockerEvidence(one)[0] ?? '', answer: note || labelOf(asked, option), by }));
  const confirms = lifted.some(
    (one) => one.code === 'approval_missing' && blockerEvidence(one)[0]?.startsWith('proposed scope:'),
  );
  return {
    approvals: [...state.approvals, approval],
    judgments: [...state.judgments, ...judgments],
    ...(confirms && state.explore === 'proposed' ? foldConfirmedProposal(state, by) : {}),
  };
}

/** Lifted once, they stay decided for the run: the same judgment is not asked for again at a later gate. */
const JUDGMENTS: ReadonlySet<string> = new Set([
  'decision_pending',
  'decision_conflict',
  'judgment_missing',
  'approval_missing',
]);

function labelOf(asked: Question | undefined, option: string): string {
  return asked?.options.find(({ id }) => id === option)?.label ?? option;
}

/** A policy's judgment of the finished work is about this tree and no other. */
function isAboutTree(blocker: Blocker): boolean {
  return blocker.code === 'judgment_missing' && blockerEvidence(blocker)[0]?.startsWith('policy ') === true;
}

function inQuestion({ delivery }: RunState, asked: Question | undefined): readonly Blocker[] {
  return delivery.blockers.filter((one) => asked?.about?.blockers.some((key) => isKeyOf(key, one)));
}

/** Also what `gate_passed` did where policy confirmed the proposal. */
export function foldConfirmedProposal(state: RunState, by: string): Partial<RunState> {
  const { scope = [], checks = [] } = state.proposal ?? {};
  const more = checks.filter((command) => !state.task.checks.includes(command));
  return {
    explore: 'confirmed',
    scope: {
      allowed: scope.length > 0 ? scope : state.scope.allowed,
      by: `proposed by the agent, confirmed by ${by}`,
    },
    task: { ...state.task, checks: [...state.task.checks, ...more] },
  };
}

function raised(budget: Budget, by: Budget, share: number): Budget {
  const add = (now: number | null, more: number | null) => (now === null ? null : now + (more ?? 0) * share);
  return {
    tokens: add(budget.tokens, by.tokens),
    usd: add(budget.usd, by.usd),
    turns: add(budget.turns, by.turns),
    wallClockMs: add(budget.wallClockMs, by.wallClockMs),
  };
}
