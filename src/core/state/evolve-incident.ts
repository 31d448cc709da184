/** `evolveIncident`: folds an event into the incidents. */
import type { RunEvent } from '../vocabulary/events/event.ts';
import { confirmedBy, refutedBy } from './hypothesis-verdict.ts';
import { EMPTY_LOG, withHypotheses, withVerdict } from './root-cause-log.ts';
import type { Incident, RunState } from './run-state.ts';

export function evolveIncident(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'incident_opened': {
      const incident: Incident = {
        id: event.incident,
        class: event.class,
        attempt: event.attempt,
        detectedAt: event.detectedAt,
        diagnosedAt: null,
        decidedAt: null,
        lastDecidedAt: null,
        resumedAt: null,
        verifiedAt: null,
        diagnosis: null,
        rootCauses: EMPTY_LOG,
        recoveries: [],
        outcome: null,
        proof: null,
      };
      return { ...state, incidents: [...state.incidents, incident] };
    }
    case 'incident_diagnosed':
      return change(state, event.incident, (incident) => {
        const { diagnosis, refutes = refutedBy(incident, diagnosis), at } = event;
        const rootCauses = withHypotheses(withVerdict(incident.rootCauses, 'refuted', refutes), diagnosis);
        return { diagnosis, diagnosedAt: incident.diagnosedAt ?? at, rootCauses };
      });
    case 'recovery_decided':
      return change(state, event.incident, ({ recoveries, decidedAt }) => ({
        recoveries: [...recoveries, event.recovery],
        decidedAt: decidedAt ?? event.at,
        lastDecidedAt: event.at,
      }));
    case 'attempt_started': {
      // An incident counts as resumed when a process lives, not when an attempt is planned.
      const incident = state.attempts.find(({ number }) => number === event.attempt)?.incident;
      return incident ? change(state, incident, () => ({ resumedAt: event.at })) : state;
    }
    case 'incident_resolved':
      return change(state, event.incident, (incident) => {
        const { outcome, proof, confirms = confirmedBy(incident, event), at } = event;
        const rootCauses = withVerdict(incident.rootCauses, 'confirmed', confirms);
        const resumedAt = incident.resumedAt ?? wentOnAt(state, incident) ?? at;
        return {
          outcome,
          proof,
          rootCauses,
          ...(outcome === 'resolved' ? { verifiedAt: at, resumedAt } : {}),
        };
      });
    default:
      return state;
  }
}

/** An answer at a gate starts no attempt, so the time of the answer is when the work went on. */
function wentOnAt({ questions }: RunState, { id }: Incident): number | null {
  return questions.findLast(({ incident, answer }) => incident === id && answer !== null)?.answer?.at ?? null;
}

function change(state: RunState, id: string, fields: (incident: Incident) => Partial<Incident>): RunState {
  const changed = (one: Incident) => (one.id === id ? { ...one, ...fields(one) } : one);
  return { ...state, incidents: state.incidents.map(changed) };
}
