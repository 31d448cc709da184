/** The incidents' part of the fold. */
import type { Diagnosis } from '../vocabulary/diagnosis.ts';
import {
  EMPTY_LOG,
  foldRootCause,
  hypothesesOpened,
  type RootCauseEvent,
  type RootCauseLog,
} from './root-cause-log.ts';
import type { RunEvent } from '../vocabulary/event.ts';
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
      return change(state, event.incident, (incident) => ({
        diagnosis: event.diagnosis,
        diagnosedAt: incident.diagnosedAt ?? event.at,
        rootCauses: causesAfter(incident, event.diagnosis),
      }));
    case 'recovery_decided':
      return change(state, event.incident, ({ recoveries, decidedAt }) => ({
        recoveries: [...recoveries, event.recovery],
        decidedAt: decidedAt ?? event.at,
        lastDecidedAt: event.at,
      }));
    case 'attempt_planned':
      return state;
    case 'attempt_started': {
      // Resumed means a live process, not a plan.
      const incident = state.attempts.find(({ number }) => number === event.attempt)?.incident;
      return incident ? change(state, incident, () => ({ resumedAt: event.at })) : state;
    }
    case 'incident_resolved':
      return change(state, event.incident, (incident) => ({
        outcome: event.outcome,
        proof: event.proof,
        rootCauses: event.outcome === 'resolved' ? confirmed(incident, event.proof) : incident.rootCauses,
        ...(event.outcome === 'resolved'
          ? { verifiedAt: event.at, resumedAt: incident.resumedAt ?? wentOnAt(state, incident) ?? event.at }
          : {}),
      }));
    default:
      return state;
  }
}

/** At a gate nothing is started anew: the work went on with the person's word. */
function wentOnAt({ questions }: RunState, { id }: Incident): number | null {
  return questions.findLast(({ incident, answer }) => incident === id && answer !== null)?.answer?.at ?? null;
}

/** A new explanation of the same incident refutes the one that the last rescue was built on. */
function causesAfter({ rootCauses, diagnosis: before }: Incident, diagnosis: Diagnosis): RootCauseLog {
  const wrong: RootCauseEvent[] =
    before === null || before.fingerprint === diagnosis.fingerprint
      ? []
      : [
          {
            type: 'hypothesis-refuted',
            id: `${before.fingerprint}/1`,
            evidence: `the next attempt failed otherwise: ${diagnosis.rootCause}`,
          },
        ];
  return [...wrong, ...hypothesesOpened(diagnosis)].reduce(foldRootCause, rootCauses);
}

/** Only a rescue that acted on the cause confirms it: a mere retry that went well proves nothing about why. */
function confirmed({ rootCauses, diagnosis, recoveries }: Incident, proof: string): RootCauseLog {
  const acted = recoveries.some(({ phase }) => phase >= 2);
  if (diagnosis === null || !acted) return rootCauses;
  return foldRootCause(rootCauses, {
    type: 'hypothesis-confirmed',
    id: `${diagnosis.fingerprint}/1`,
    evidence: proof,
  });
}

function change(state: RunState, id: string, fields: (incident: Incident) => Partial<Incident>): RunState {
  return {
    ...state,
    incidents: state.incidents.map((incident) =>
      incident.id === id ? { ...incident, ...fields(incident) } : incident,
    ),
  };
}
