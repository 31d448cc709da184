/** The fold: one journal line into the state. It never decides and never forgets how to read an old line. */
import type { RunEvent } from '../vocabulary/event.ts';
import { evolveAttempt } from './evolve-attempt.ts';
import { evolveIncident } from './evolve-incident.ts';
import { evolveMission } from './evolve-mission.ts';
import { evolvePerson, withdraw } from './evolve-person.ts';
import { evolveWork } from './evolve-work.ts';
import type { RunState } from './run-state.ts';

export function evolve(before: RunState, event: RunEvent): RunState {
  const counted = {
    ...evolveMission(evolveIncident(evolveAttempt(before, event), event), event),
    seq: before.seq + 1,
    updatedAt: event.at,
  };
  return evolveLife(evolvePerson(evolveWork(counted, event), event), event);
}

/** Where the run stands. A line that is folded elsewhere, or that a newer Mayday wrote, changes nothing here. */
function evolveLife(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'work_begun':
      return { ...state, life: { type: 'preparing' } };
    case 'attempt_planned':
      return {
        ...state,
        stage: state.explore === 'looking' ? 'explore' : 'build',
        blockers: [],
        split: null,
        passed: null,
        deliveryTries: 0,
        flagged: null,
        stopAsked: null,
        // A person accepted the work as it was; what comes now is other work.
        accepted: null,
        failedCommand: null,
        life: { type: 'working', attempt: event.attempt },
      };
    case 'attempt_released':
      return { ...state, life: { type: 'working', attempt: event.attempt } };
    case 'command_retried':
      return { ...state, failedCommand: null, life: event.life };
    case 'command_failed':
      return { ...state, failedCommand: { command: event.command, life: state.life } };
    case 'stop_decided':
      return { ...state, life: { type: 'stopping', attempt: event.attempt, why: event.why, by: event.by } };
    case 'attempt_ended':
      return {
        ...withdraw(state),
        holdsOverruledAt: 0,
        life: { type: 'examining', attempt: event.attempt },
      };
    case 'progress_observed':
      return { ...state, progressAt: event.at };
    case 'stopped':
      return {
        ...withdraw(state),
        life: {
          type: 'waiting',
          for: 'person',
          until: null,
          reason: event.reason,
          stopped: { question: event.question },
        },
      };
    case 'waiting':
      return {
        ...state,
        life: { type: 'waiting', for: event.for, until: event.until, reason: event.reason },
      };
    case 'ended':
      return {
        ...withdraw(state),
        // What was delivered left every stage.
        blockers: event.state === 'abandoned' ? state.blockers : [],
        endedAt: event.at,
        life: { type: 'ended', state: event.state, reason: event.reason },
      };
    case 'noted':
      return { ...state, notes: [...state.notes, { at: event.at, text: event.text }] };
    case 'lessons_matched':
      return { ...state, lessons: event.lessons };
    case 'lesson_proposed':
      return state.proposed.includes(event.lesson)
        ? state
        : { ...state, proposed: [...state.proposed, event.lesson] };
    case 'run_removed':
      return { ...state, removed: true };
    case 'released':
      return { ...state, released: true };
    default:
      return state;
  }
}
