/** `accepts`: whether a fact is about the run as it is now: a stale message must never touch a new attempt. */
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
  // A line of a newer Mayday has no rule.
  return (FITS[fact.type] as Fits | undefined)?.(state, fact) === true;
}

type Fits<Type extends Fact['type'] = Fact['type']> = (state: RunState, fact: FactOf<Type>) => boolean;

const always = () => true;
const never = () => false;

/** Whether each fact is about the run as it is now, while that is not over. */
const FITS: { readonly [Type in Fact['type']]: Fits<Type> } = {
  run_created: never,
  run_removed: never,
  forgery_refused: never,
  work_begun: ({ life }) => life.type === 'queued',
  workspace_prepared: ({ life, workspace }) => life.type === 'preparing' && workspace === null,
  checks_finished: ({ life, attempts }, { purpose, tree }) =>
    purpose === 'baseline'
      ? life.type === 'preparing' || (life.type === 'checking' && attempts.length === 0)
      : life.type === 'checking' && life.tree === tree,
  attempt_started: (state, { attempt }) => isAtWork(state, attempt) && notStarted(state),
  // An attempt can also end while a person is asked what to do with a process that did not end when it was killed. The work of one that
  // has ended can be lost with its host.
  attempt_ended: (state, { attempt, exit }) =>
    isAtWork(state, attempt) ||
    (state.life.type === 'waiting' && liveAttempt(state)?.number === attempt) ||
    (exit.endedBy === 'host' && mayBeLost(state, attempt)),
  agent_declared_gone: (state, { attempt }) =>
    isLast(state, attempt) && state.attempts.at(-1)?.endedAt === null,
  attempt_unkillable: (state, { attempt }) => isAtWork(state, attempt),
  signal_raised: (state, { attempt }) => isAtWork(state, attempt),
  nudge_heard: (state, { attempt }) =>
    isLast(state, attempt) && state.attempts.at(-1)?.nudge?.heardAt === null,
  attempt_examined: ({ life }, { attempt }) => life.type === 'examining' && life.attempt === attempt,
  usage_reported: (state, { attempt }) => isLast(state, attempt),
  progress_observed: (state, { attempt }) => isLast(state, attempt),
  agent_told: (state, { attempt, line }) =>
    (state.attempts.at(-1)?.told.at(-1)?.line ?? 0) < line && isLast(state, attempt),
  work_split: ({ life }) => life.type === 'checking',
  work_rebased: ({ life }) => life.type === 'checking',
  work_delivered: ({ life }) => life.type === 'delivering',
  delivery_blocked: ({ life }) => life.type === 'delivering',
  timer_fired: (state, { name }) => timerFits(state, name),
  question_answered: (state, fact) => isAnswer(openQuestion(state)?.question, fact),
  stop_requested: (state) =>
    !isStopped(state) && (state.life.type !== 'stopping' || state.life.by !== 'person'),
  resume_requested: ({ life }) => life.type === 'waiting' || life.type === 'queued',
  // A run that waits for a person has a question to answer, and one that is checked or delivered has no agent to start.
  flag_raised: (state) =>
    FLAGGED_IN.has(state.life.type) ||
    (state.life.type === 'waiting' && state.life.for !== 'person' && !isStopped(state)),
  accept_requested: (state, { note }) => acceptRefusal(state, note) === null,
  held: (state, { attempt }) =>
    attempt === null
      ? !['working', 'stopping', 'queued'].includes(state.life.type)
      : state.life.type === 'working' && state.life.attempt === attempt && notStarted(state),
  hold_lifted: ({ holds }, fact) => holds.some(({ key }) => key === fact.key),
  shared_cause_found: (state) =>
    state.life.type === 'waiting'
      ? state.life.for !== 'person'
      : state.life.type === 'working' && notStarted(state),
  rescue_requested: (state) => openMission(state) === undefined && !BUSY.has(state.life.type),
  mission_enriched: fitsMission,
  // A waiting run carries out no command: the message comes from a keeper that was suspended or has been replaced.
  clock_jumped: ({ life }) => life.type !== 'waiting',
  command_failed: ({ life }) => life.type !== 'waiting',
  checkpoint_taken: always,
  checkpoint_restored: always,
  taken_over: always,
  abandon_requested: always,
  lessons_matched: always,
  lesson_proposed: always,
  opinion_given: always,
  word_came_late: always,
  work_salvaged: always,
  released: always,
};

function isAtWork({ life }: RunState, attempt: number): boolean {
  return (life.type === 'working' || life.type === 'stopping') && life.attempt === attempt;
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
  'opinion_given',
  'mission_enriched',
  'word_came_late',
  'work_salvaged',
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

function mayBeLost(state: RunState, attempt: number): boolean {
  const last = state.attempts.at(-1);
  return last?.number === attempt && last.endedAt !== null && !last.examination && last.endedBy !== 'host';
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
