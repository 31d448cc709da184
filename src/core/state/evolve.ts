/** `evolve`: the fold: one journal line into the state. It never decides, and it reads every old line for ever. */
import type { RunEvent } from '../vocabulary/events/event.ts';
import { evolveAttempt } from './evolve-attempt.ts';
import { evolveIncident } from './evolve-incident.ts';
import { evolveMission } from './evolve-mission.ts';
import { evolvePerson } from './evolve-person.ts';
import { evolveWork } from './evolve-work.ts';
import { lifeAfter } from './life-after.ts';
import { waitsAfter } from './waits.ts';
import type { RunState } from './run-state.ts';

/** A line of an unknown, newer type raises `seq` and changes nothing else. */
export function evolve(before: RunState, event: RunEvent): RunState {
  const counted = {
    ...evolveMission(evolveIncident(evolveAttempt(before, event), event), event),
    seq: before.seq + 1,
    updatedAt: event.at,
  };
  const after = { ...evolvePerson(evolveWork(counted, event), event), life: lifeAfter(before, event) };
  return evolveLists({ ...after, waits: waitsAfter(before.waits, after, event.at) }, event);
}

/** Folds the lists that only grow and the values that the line replaces. */
function evolveLists(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    // The person's "go on" was for one try. The second examination of an attempt that ended before it is such a try too.
    case 'attempt_ended':
    case 'attempt_examined':
      return { ...state, holdsOverruledAt: 0 };
    case 'progress_observed':
      return { ...state, progressAt: event.at };
    case 'noted':
      return { ...state, notes: [...state.notes, { at: event.at, text: event.text }] };
    case 'lessons_matched':
      return { ...state, lessons: event.lessons };
    case 'lesson_proposed':
      return state.proposed.includes(event.lesson)
        ? state
        : { ...state, proposed: [...state.proposed, event.lesson] };
    case 'opinion_given': {
      const { outcome, at, attempt, durationMs, promptHash } = event;
      return { ...state, opinions: [...state.opinions, { outcome, at, attempt, durationMs, promptHash }] };
    }
    default:
      return state;
  }
}
