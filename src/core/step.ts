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
import { deliveryRefused, checksFinished, workRebased, workSplit } from './decide/on-gate.ts';
import { clockJumped, held, holdLifted, sharedCauseFound } from './decide/on-hold.ts';
import { missionEnriched, rescueRequested } from './decide/on-mission.ts';
import { abandonRequested, acceptRequested, resumeRequested, stopRequested } from './decide/on-person.ts';
import { flagRaised } from './decide/on-flag.ts';
import { commandFailed, runCreated, workBegun, workspacePrepared } from './decide/on-preparation.ts';
import { timerFired } from './decide/on-time.ts';
import { resolveByProgress } from './decide/recovery/incident.ts';
import { Turn } from './decide/turn.ts';
import type { Decision, Fact, FactOf } from './vocabulary/events/event.ts';
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
  decide(turn, fact, state);
  return result(turn);
}

/** A replay hands in facts of old journals: they are decided on like those of today. */
function asToday(fact: Fact): Fact {
  if (fact.type !== 'question_answered') return fact;
  const { version: _, ...today } = fact;
  return today;
}

function decide(turn: Turn, fact: Fact, before: RunState): void {
  switch (fact.type) {
    case 'work_begun':
      return workBegun(turn);
    case 'workspace_prepared':
      return workspacePrepared(turn, fact);
    case 'checks_finished':
      return checksFinished(turn, fact);
    case 'attempt_started': {
      turn.timer('timeout', fact.at + turn.state.policy.timeout_ms);
      return setBudgetTimer(turn);
    }
    case 'attempt_ended':
      return attemptEnded(turn, before);
    case 'attempt_examined':
      return attemptExamined(turn, fact, before);
    case 'attempt_unkillable':
      return attemptUnkillable(turn, fact);
    case 'signal_raised':
      return signalRaised(turn, fact);
    case 'nudge_heard':
      return turn.cancel(NUDGE_TIMER);
    case 'usage_reported':
      return stopIfSpent(turn);
    case 'progress_observed':
      return resolveByProgress(turn, `${fact.kind}: ${fact.detail}`);
    case 'work_delivered':
      return workDelivered(turn, fact, before);
    case 'work_split':
      return workSplit(turn);
    case 'work_rebased':
      return workRebased(turn, fact);
    case 'delivery_blocked':
      return deliveryRefused(turn, fact);
    case 'command_failed':
      return commandFailed(turn, fact);
    case 'timer_fired':
      return timerFired(turn, fact.name);
    case 'stop_requested':
      return stopRequested(turn, fact, before);
    case 'resume_requested':
      return resumeRequested(turn, fact, before);
    case 'flag_raised':
      return flagRaised(turn, fact);
    case 'accept_requested':
      return acceptRequested(turn, before);
    case 'abandon_requested':
      return abandonRequested(turn, fact, before);
    case 'question_answered':
      return questionAnswered(turn, fact, before);
    case 'held':
      return held(turn, fact);
    case 'hold_lifted':
      return holdLifted(turn, fact);
    case 'shared_cause_found':
      return sharedCauseFound(turn, fact);
    case 'clock_jumped':
      return clockJumped(turn, fact);
    case 'rescue_requested':
      return rescueRequested(turn, fact);
    case 'mission_enriched':
      return missionEnriched(turn, fact);
    case 'run_created':
    case 'agent_declared_gone':
    case 'agent_told':
    case 'checkpoint_taken':
    case 'checkpoint_restored':
    case 'taken_over':
    case 'lessons_matched':
    case 'lesson_proposed':
    case 'run_removed':
    case 'word_came_late':
    case 'forgery_refused':
    case 'released':
      return;
  }
}

function result(turn: Turn): Step {
  return { state: turn.state, decisions: turn.decisions, commands: turn.commands, timers: turn.timers };
}
