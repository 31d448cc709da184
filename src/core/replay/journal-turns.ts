/** `journalTurns`: a journal as turns: each fact with what was decided on it. */
import type { Decision, Fact, RunEvent } from '../vocabulary/events/event.ts';

export interface JournalTurn {
  /** Of the fact, in the journal. */
  readonly seq: number;
  readonly fact: Fact;
  readonly decisions: readonly Decision[];
  /** Lines of a newer Mayday: they keep their place and mean nothing here. */
  readonly unread: readonly RunEvent[];
}

const DECISION_TYPES: Readonly<Record<Decision['type'], true>> = {
  incident_opened: true,
  incident_diagnosed: true,
  recovery_decided: true,
  attempt_planned: true,
  incident_resolved: true,
  blocked: true,
  gate_asked: true,
  delivery_decided: true,
  gate_passed: true,
  question_asked: true,
  answer_applied: true,
  stop_decided: true,
  nudge_decided: true,
  stopped: true,
  waiting: true,
  ended: true,
  noted: true,
  attempt_released: true,
  command_retried: true,
  mission_started: true,
  mission_closed: true,
};

const FACT_TYPES: Readonly<Record<Fact['type'], true>> = {
  run_created: true,
  workspace_prepared: true,
  checks_finished: true,
  attempt_started: true,
  attempt_ended: true,
  attempt_examined: true,
  attempt_unkillable: true,
  agent_declared_gone: true,
  signal_raised: true,
  nudge_heard: true,
  usage_reported: true,
  progress_observed: true,
  agent_told: true,
  checkpoint_taken: true,
  checkpoint_restored: true,
  work_delivered: true,
  work_split: true,
  work_rebased: true,
  delivery_blocked: true,
  command_failed: true,
  timer_fired: true,
  held: true,
  hold_lifted: true,
  shared_cause_found: true,
  clock_jumped: true,
  rescue_requested: true,
  mission_enriched: true,
  work_begun: true,
  taken_over: true,
  stop_requested: true,
  resume_requested: true,
  flag_raised: true,
  accept_requested: true,
  abandon_requested: true,
  run_removed: true,
  question_answered: true,
  lessons_matched: true,
  lesson_proposed: true,
  word_came_late: true,
  forgery_refused: true,
  released: true,
};

export function journalTurns(events: readonly RunEvent[]): readonly JournalTurn[] {
  const turns: { seq: number; fact: Fact; decisions: Decision[]; unread: RunEvent[] }[] = [];
  for (const [index, event] of events.entries()) {
    const turn = turns.at(-1);
    if (isFact(event)) turns.push({ seq: index + 1, fact: event, decisions: [], unread: [] });
    else if (isDecision(event)) turn?.decisions.push(event);
    else turn?.unread.push(event);
  }
  return turns;
}

function isFact(event: RunEvent): event is Fact {
  return Object.hasOwn(FACT_TYPES, event.type);
}

function isDecision(event: RunEvent): event is Decision {
  return Object.hasOwn(DECISION_TYPES, event.type);
}
