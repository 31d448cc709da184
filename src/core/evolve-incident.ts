/** The incidents' part of the fold. */
import type { RunEvent } from './event.ts';
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
        resumedAt: null,
        verifiedAt: null,
        diagnosis: null,
        recoveries: [],
        outcome: null,
        proof: null,
      };
      return { ...state, incidents: [...state.incidents, incident] };
    }
    case 'incident_diagnosed':
      return change(state, event.incident, ({ diagnosedAt }) => ({
        diagnosis: event.diagnosis,
        diagnosedAt: diagnosedAt ?? event.at,
      }));
    case 'recovery_decided':
      return change(state, event.incident, ({ recoveries }) => ({
        recoveries: [...recoveries, event.recovery],
        decidedAt: event.at,
      }));
    case 'attempt_planned':
      return state;
    case 'attempt_started': {
      // Resumed means a live process, not a plan.
      const incident = state.attempts.find(({ number }) => number === event.attempt)?.incident;
      return incident ? change(state, incident, () => ({ resumedAt: event.at })) : state;
    }
    case 'incident_resolved':
      return change(state, event.incident, () => ({
        outcome: event.outcome,
        proof: event.proof,
        ...(event.outcome === 'resolved' ? { verifiedAt: event.at } : {}),
      }));
    default:
      return state;
  }
}

function change(state: RunState, id: string, fields: (incident: Incident) => Partial<Incident>): RunState {
  return {
    ...state,
    incidents: state.incidents.map((incident) =>
      incident.id === id ? { ...incident, ...fields(incident) } : incident,
    ),
  };
}
