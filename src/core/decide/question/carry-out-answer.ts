/** `questionAnswered`: does what the chosen option said. The new values are journaled first; then the run goes on. */
import { BLOCKERS, isBlockerCode } from '../../vocabulary/blockers/blocker.ts';
import type { Changes, Consequence, Judgment } from '../../vocabulary/questions/consequence.ts';
import type { FactOf } from '../../vocabulary/events/event.ts';
import { approvalId, type StoredKey } from '../../vocabulary/questions/approval.ts';
import { isKeyOf, keyCase } from '../../vocabulary/blockers/blocker-key.ts';
import { candidateTree, savedTree } from '../../state/last-tree.ts';
import type { Question } from '../../vocabulary/questions/question.ts';
import { liveAttempt, openQuestion, type RunState } from '../../state/run-state.ts';
import { confirmedProposal, consequenceOf } from './consequence-of.ts';
import { continueAfterAnswer } from '../recovery/continue-after-answer.ts';
import { beginWork } from '../on-explore.ts';
import { abandon, deliverAgain, deliverWork } from '../on-delivery.ts';
import { startGate } from '../on-gate.ts';
import { missionByNote, startMission } from '../on-mission.ts';
import { examineAgain } from '../plan-attempt.ts';
import { stopAgain } from '../stop-attempt.ts';
import type { Turn } from '../turn.ts';

type Answered = FactOf<'question_answered'>;

export function questionAnswered(turn: Turn, answer: Answered, before: RunState): void {
  turn.cancel('question');
  const asked = openQuestion(before)?.question;
  if (asked === undefined) return;
  const [changes, next] = outcome(turn, asked, answer, before);
  if (Object.keys(changes).length > 0)
    turn.decide({ type: 'answer_applied', question: asked.id, option: answer.option, changes });
  if (liveAttempt(turn.state) !== undefined) return stopAgain(turn, `answered: ${answer.option}`);
  next();
}

/** What the answer changes, and how the run goes on after it. */
function outcome(
  turn: Turn,
  asked: Question,
  answer: Answered,
  before: RunState,
): readonly [Changes, next: () => void] {
  const { note, by, at } = answer;
  const { state } = turn;
  const then = consequenceTaken(asked, answer.option, before);
  // The brief tells the agent what was settled, with the person's own words.
  const tellAgent = () => continueAfterAnswer(turn, before, null);
  const { passed } = before.delivery;
  const noteOnly = () => (passed === null ? tellAgent() : deliverAgain(turn, passed));
  // The work may be fine as it is, so the gate runs first. An agent is started only if the gate blocks.
  const askGate = () => {
    if (isBeforeWork(before)) beginWork(turn);
    else deliverOrCheck();
  };
  const deliverOrCheck = () => (passed === null ? startGate(turn) : deliverAgain(turn, passed));
  switch (then.type) {
    case 'abandon':
      return [
        { abandonAsked: { by, reason: note } },
        () => abandon(turn, `stopped for good by ${by}${note ? `: ${note}` : ''}`),
      ];
    case 'tell_agent':
      return [{}, tellAgent];
    case 'rescue':
      return [{}, () => startMission(turn, by, missionByNote(note))];
    case 'raise_budget':
      return [{ budget: then.budget }, tellAgent];
    case 'allow_tools':
      return [{ permissions: [...state.options.permissions, ...then.tools] }, tellAgent];
    case 'pass_variables':
      return [{ environment: [...state.options.environment, ...then.names] }, tellAgent];
    case 'skip_setup':
      return [{ setup: null }, tellAgent];
    case 'start_anyway':
      return [{ holds: state.holds.filter(({ kind }) => kind !== 'disk'), holdsOverruledAt: at }, noteOnly];
    case 'try_again': {
      const changes = then.checks.length === 0 ? {} : { checks: [...state.task.checks, ...then.checks] };
      if (passed !== null) return [changes, () => deliverAgain(turn, passed)];
      const ways = {
        preparation: () => beginWork(turn),
        examination: () => examineAgain(turn, state.attempts.length),
        gate: () => startGate(turn),
        agent: noteOnly,
      };
      return [changes, ways[then.from]];
    }
    case 'set_scope':
      return [confirmedScope(state, then.allowed, by), askGate];
    case 'name_scope': {
      // If the note names nothing, the scope stays what it was, so nothing more is allowed.
      const named = note.split(/\s+/).filter((glob) => glob !== '');
      return [named.length === 0 ? {} : confirmedScope(state, named, by), askGate];
    }
    case 'widen_scope': {
      const { allowed, by: whose } = state.scope;
      const scope = { allowed: [...allowed, ...then.globs], by: `${whose}; widened by ${by}` };
      return [{ scope }, then.for === 'agent' ? tellAgent : askGate];
    }
    case 'approve':
      return [approvalChanges(turn, asked, answer, then), askGate];
    case 'accept':
      return [{ accepted: { by, note } }, () => deliverWork(turn)];
    case 'change_sink':
      return [{ sink: then.sink }, deliverOrCheck];
    case 'fix_sink':
      return [sinkChange(state, then.branch, note.trim()), deliverOrCheck];
    case 'split_work':
      return [{}, () => splitWork(turn)];
    case 'rebase':
      return [{}, () => rebaseWork(turn)];
  }
}

/** The consequence of the chosen option. A question of a version-1 journal does not carry it, so it is computed. */
function consequenceTaken({ options, kind, about }: Question, option: string, state: RunState): Consequence {
  const inQuestion = state.delivery.blockers.filter((one) =>
    about?.blockers.some((key) => isKeyOf(key, one)),
  );
  const taken = options.find(({ id }) => id === option);
  if (taken === undefined) return { type: 'tell_agent', told: 'option' };
  return taken.consequence ?? consequenceOf(state, { kind, about: inQuestion }, taken.id);
}

function confirmedScope({ explore }: RunState, allowed: readonly string[], by: string): Changes {
  const scope = { allowed, by: `confirmed by ${by}` };
  return { scope, staleScope: [], explore: explore === 'off' ? 'off' : 'confirmed' };
}

function approvalChanges(
  { state, at }: Turn,
  { id: question, about, options }: Question,
  { option, note, by }: Answered,
  { keys, judges, confirms }: Extract<Consequence, { type: 'approve' }>,
): Changes {
  const { tree = '', attempt = 0 } = about ?? {};
  const id = approvalId(state.runId, state.seq);
  const answer = note || (options.find((one) => one.id === option)?.label ?? option);
  return {
    approval: { id, question, option, by, note, at, tree, attempt, keys, used: false },
    ...(judges.length === 0 ? {} : { judgments: judges.map((key) => ({ ...judged(key), answer, by })) }),
    ...(confirms === null ? {} : confirmedProposal(confirms, by)),
  };
}

function judged(key: StoredKey): Pick<Judgment, 'question' | 'key'> {
  return typeof key === 'string' ? { question: key } : { question: keyCase(key), key };
}

/** A note of one word names the branch. A longer note is text, and the sink stays as it was. */
function sinkChange({ sink }: RunState, branch: string | null, note: string): Changes {
  if (sink.type !== 'branch') return {};
  if (note !== '' && !/\s/.test(note))
    return { sink: { type: 'branch', name: note.replace(/^branch:/, '') } };
  return branch === null || note !== '' ? {} : { sink: { type: 'branch', name: branch } };
}

function splitWork(turn: Turn): void {
  const tree = savedTree(turn.state);
  turn.decide({ type: 'gate_asked', tree });
  turn.command({ type: 'split_work', tree, allowed: turn.state.scope.allowed });
}

function rebaseWork(turn: Turn): void {
  const tree = candidateTree(turn.state);
  turn.decide({ type: 'gate_asked', tree });
  turn.command({ type: 'rebase_work', tree });
}

/** True for a blocker of the explore stage: its answer leads to the first attempt, not to the gate. */
function isBeforeWork({ delivery }: RunState): boolean {
  return delivery.blockers.some(({ code }) => isBlockerCode(code) && BLOCKERS[code].stage === 'explore');
}
