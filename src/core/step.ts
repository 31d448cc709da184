/**
 * `step`: the one entry of the core: a fact goes in, what was decided comes out. Pure: the same state and fact give the same answer, on
 * any machine, in any year. The caller appends fact, decisions, commands and timers in one transaction.
 */
import type { KeyedCommand, TimerChange } from './vocabulary/events/command.ts';
import { accepts } from './decide/accepts.ts';
import { attemptEnded, attemptExamined, attemptUnkillable, signalRaised } from './decide/on-attempt.ts';
import { NUDGE_TIMER } from './decide/nudge.ts';
import { questionAnswered } from './decide/question/carry-out-answer.ts';
import { setBudgetTimer, stopIfSpent } from './decide/recovery/hard-budget.ts';
import { workDelivered } from './decide/on-delivery.ts';
import { beginWork } from './decide/on-explore.ts';
import { deliveryRefused, checksFinished, workRebased, workSplit } from './decide/on-gate.ts';
import { clockJumped, held, holdLifted, sharedCauseFound } from './decide/on-hold.ts';
import { missionEnriched, rescueRequested } from './decide/on-mission.ts';
import { abandonRequested, acceptRequested, resumeRequested, stopRequested } from './decide/on-person.ts';
import { flagRaised } from './decide/on-flag.ts';
import { commandFailed, runCreated, workBegun } from './decide/on-preparation.ts';
import { timerFired } from './decide/on-time.ts';
import { resolveByProgress } from './decide/recovery/incident.ts';
import { Turn } from './decide/turn.ts';
import type { Decision, Fact, FactOf, RunEvent } from './vocabulary/events/event.ts';
import { createState } from './state/create-state.ts';
import { evolve } from './state/evolve.ts';
import type { RunState } from './state/run-state.ts';

export interface Step {
  readonly state: RunState;
  readonly decisions: readonly Decision[];
  readonly commands: readonly KeyedCommand[];
  readonly timers: TimerChange;
}

export function begin(runId: string, fact: FactOf<'run_created'>): Step {
  const turn = new Turn(createState(runId, fact), fact);
  runCreated(turn);
  return result(turn);
}

/** Returns null for a fact that is stale, doubled or impossible in this state: nothing changes and nothing is journaled. */
export function step(state: RunState, given: Fact): Step | null {
  if (!accepts(state, given)) return null;
  const fact = asToday(given);
  const turn = new Turn(evolve(state, fact), fact);
  (DECIDE[fact.type] as Decide | null)?.(turn, fact, state);
  return result(turn);
}

/** A replay hands in facts of old journals: they are decided on like those of today. */
function asToday(fact: Fact): Fact {
  if (fact.type !== 'question_answered') return fact;
  const { version: _, ...today } = fact;
  return today;
}

type Decide<Type extends Fact['type'] = Fact['type']> = (
  turn: Turn,
  fact: FactOf<Type>,
  before: RunState,
) => void;

/** What follows from each fact; null: it is only folded. */
const DECIDE: { readonly [Type in Fact['type']]: Decide<Type> | null } = {
  run_created: null,
  work_begun: workBegun,
  workspace_prepared: beginWork,
  checks_finished: checksFinished,
  attempt_started: (turn, { at }) => {
    turn.timer('timeout', at + turn.state.policy.timeout_ms);
    setBudgetTimer(turn);
  },
  attempt_ended: (turn, _, before) => attemptEnded(turn, before),
  attempt_examined: attemptExamined,
  attempt_unkillable: attemptUnkillable,
  agent_declared_gone: null,
  signal_raised: signalRaised,
  nudge_heard: (turn) => turn.cancel(NUDGE_TIMER),
  usage_reported: stopIfSpent,
  progress_observed: (turn, { kind, detail }) => resolveByProgress(turn, `${kind}: ${detail}`),
  agent_told: null,
  checkpoint_taken: null,
  checkpoint_restored: null,
  work_delivered: workDelivered,
  work_salvaged: (turn, { host, ref, repository }) =>
    turn.decide({ type: 'noted', text: `what only host ${host} had is on branch ${ref} of ${repository}` }),
  work_split: workSplit,
  work_rebased: workRebased,
  delivery_blocked: deliveryRefused,
  command_failed: commandFailed,
  timer_fired: (turn, { name }) => timerFired(turn, name),
  stop_requested: stopRequested,
  resume_requested: resumeRequested,
  flag_raised: flagRaised,
  accept_requested: (turn, _, before) => acceptRequested(turn, before),
  abandon_requested: abandonRequested,
  question_answered: questionAnswered,
  held,
  hold_lifted: holdLifted,
  shared_cause_found: sharedCauseFound,
  clock_jumped: clockJumped,
  rescue_requested: rescueRequested,
  mission_enriched: missionEnriched,
  taken_over: null,
  lessons_matched: null,
  lesson_proposed: null,
  opinion_given: null,
  run_removed: null,
  word_came_late: null,
  forgery_refused: null,
  released: null,
};

/** True for what comes from outside; a line of a newer Mayday is neither a fact nor a decision. */
export function isFact(event: RunEvent): event is Fact {
  return Object.hasOwn(DECIDE, event.type);
}

function result(turn: Turn): Step {
  return { state: turn.state, decisions: turn.decisions, commands: turn.commands, timers: turn.timers };
}
