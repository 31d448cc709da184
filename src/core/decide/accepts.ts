/**
 * `accepts`: tells whether a fact is about the run as it is now. A late or repeated message, or one about an earlier attempt, is not
 * accepted: a stale message must never touch a new attempt.
 */
import { BUDGET_TIMER } from './recovery/hard-budget.ts';
import { NUDGE_TIMER } from './nudge.ts';
import type { Fact, FactOf } from '../vocabulary/events/event.ts';
import { acceptRefusal } from '../gates/accept-refusal.ts';
import { saysWhatWasLearned } from '../vocabulary/mission.ts';
import { MAX_FORGERIES } from '../vocabulary/events/word.ts';
import { lacksWords, type Question } from '../vocabulary/questions/question.ts';
import { isStopped, liveAttempt, openMission, openQuestion, type RunState } from '../state/run-state.ts';

const FLAGGED_IN: ReadonlySet<string> = new Set(['working', 'queued', 'preparing', 'examining']);

export function accepts(state: RunState, fact: Fact): boolean {
  const { life } = state;
  if (fact.type === 'forgery_refused') return state.forgeries.length < MAX_FORGERIES;
  if (fact.type === 'run_removed') return life.type === 'ended' && !life.removed;
  if (life.type === 'ended') return AFTER_THE_END.has(fact.type) && fitsMission(state, fact);
  switch (fact.type) {
    case 'run_created':
      return false;
    case 'work_begun':
      return life.type === 'queued';
    case 'workspace_prepared':
      return life.type === 'preparing' && state.workspace === null;
    case 'checks_finished':
      return fact.purpose === 'baseline'
        ? life.type === 'preparing' || (life.type === 'checking' && state.attempts.length === 0)
        : life.type === 'checking' && life.tree === fact.tree;
    case 'attempt_started':
      return (
        (life.type === 'working' || life.type === 'stopping') &&
        life.attempt === fact.attempt &&
        state.attempts.at(-1)?.startedAt === null
      );
    case 'attempt_ended':
      // An attempt can also end while a person is asked what to do with a process that did not end when it was killed.
      return endable(state, fact.attempt);
    case 'agent_declared_gone':
      return state.attempts.at(-1)?.number === fact.attempt && state.attempts.at(-1)?.endedAt === null;
    case 'attempt_unkillable':
    case 'signal_raised':
      return (life.type === 'working' || life.type === 'stopping') && life.attempt === fact.attempt;
    case 'nudge_heard':
      return isLast(state, fact.attempt) && state.attempts.at(-1)?.nudge?.heardAt === null;
    case 'attempt_examined':
      return life.type === 'examining' && life.attempt === fact.attempt;
    case 'usage_reported':
    case 'progress_observed':
      return isLast(state, fact.attempt);
    case 'agent_told':
      return (state.attempts.at(-1)?.told.at(-1)?.line ?? 0) < fact.line && isLast(state, fact.attempt);
    case 'work_split':
    case 'work_rebased':
      return life.type === 'checking';
    case 'work_delivered':
    case 'delivery_blocked':
      return life.type === 'delivering';
    case 'timer_fired':
      return timerFits(state, fact.name);
    case 'question_answered':
      return isAnswer(openQuestion(state)?.question, fact);
    case 'stop_requested':
      return !isStopped(state) && (life.type !== 'stopping' || life.by !== 'person');
    case 'resume_requested':
      return life.type === 'waiting' || life.type === 'queued';
    case 'flag_raised':
      // A run that waits for a person has a question to answer, and one that is checked or delivered has no agent to start.
      return (
        FLAGGED_IN.has(life.type) || (life.type === 'waiting' && life.for !== 'person' && !isStopped(state))
      );
    case 'accept_requested':
      return acceptRefusal(state, fact.note) === null;
    case 'held':
      return fact.attempt === null
        ? life.type !== 'working' && life.type !== 'stopping' && life.type !== 'queued'
        : life.type === 'working' && life.attempt === fact.attempt && notStarted(state);
    case 'hold_lifted':
      return state.holds.some(({ key }) => key === fact.key);
    case 'shared_cause_found':
      return life.type === 'waiting' ? life.for !== 'person' : life.type === 'working' && notStarted(state);
    case 'rescue_requested':
      return openMission(state) === undefined && !BUSY.has(life.type);
    case 'mission_enriched':
      return fitsMission(state, fact);
    case 'clock_jumped':
    case 'command_failed':
      // A waiting run carries out no command: the message comes from a keeper that was suspended or has been replaced.
      return life.type !== 'waiting';
    case 'checkpoint_taken':
    case 'checkpoint_restored':
    case 'taken_over':
    case 'abandon_requested':
    case 'lessons_matched':
    case 'lesson_proposed':
    case 'word_came_late':
    case 'released':
      return true;
  }
}

/** An option that needs a note is not answered without one. */
function isAnswer(question: Question | undefined, fact: FactOf<'question_answered'>): boolean {
  return question?.id === fact.question && !lacksWords(question, fact.option, fact.note);
}

/** In these states a run has nothing to rescue yet, or nothing to rescue any more. */
const BUSY: ReadonlySet<RunState['life']['type']> = new Set(['queued', 'preparing', 'delivering']);

const AFTER_THE_END: ReadonlySet<Fact['type']> = new Set([
  'released',
  'taken_over',
  'lesson_proposed',
  'mission_enriched',
  'word_came_late',
]);

/** An enrichment must say what was learned, and a mission is enriched only once. */
function fitsMission(state: RunState, fact: Fact): boolean {
  if (fact.type !== 'mission_enriched') return true;
  return (
    saysWhatWasLearned(fact.contextUpdates, fact.reason) &&
    state.missions.some(({ id, enrichedAt }) => id === fact.mission && enrichedAt === null)
  );
}

function isLast(state: RunState, attempt: number): boolean {
  return state.attempts.at(-1)?.number === attempt;
}

function endable(state: RunState, attempt: number): boolean {
  const { life } = state;
  if (life.type === 'working' || life.type === 'stopping') return life.attempt === attempt;
  return life.type === 'waiting' && liveAttempt(state)?.number === attempt;
}

function notStarted(state: RunState): boolean {
  return state.attempts.at(-1)?.startedAt === null;
}

function timerFits({ life }: RunState, name: string): boolean {
  switch (name) {
    case 'retry':
      return life.type === 'waiting' && life.for !== 'person';
    case 'timeout':
    case NUDGE_TIMER:
    case BUDGET_TIMER:
      return life.type === 'working';
    case 'question':
      return life.type === 'waiting' && life.for === 'person';
    default:
      return false;
  }
}
