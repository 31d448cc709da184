/** `evolveIncident`: folds an event into the incidents. */
import type { Diagnosis } from '../vocabulary/diagnosis.ts';
import {
  EMPTY_LOG,
  foldRootCause,
  hypothesesOpened,
  type RootCauseEvent,
  type RootCauseLog,
} from './root-cause-log.ts';
import type { RunEvent } from '../vocabulary/events/event.ts';
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
    case 'attempt_started': {
      // An incident counts as resumed when a process lives, not when an attempt is planned.
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

/** An answer at a gate starts no attempt, so the time of the answer is when the work went on. */
function wentOnAt({ questions }: RunState, { id }: Incident): number | null {
  return questions.findLast(({ incident, answer }) => incident === id && answer !== null)?.answer?.at ?? null;
}

/** A new diagnosis of the same incident refutes the cause on which the last rescue was based. */
function causesAfter({ rootCauses, diagnosis: before }: Incident, diagnosis: Diagnosis): RootCauseLog {
  const isOtherwise = before !== null && before.fingerprint !== diagnosis.fingerprint;
  const id =
    before === null
      ? undefined
      : (ownCause(rootCauses, before) ?? (isOtherwise ? firstOf(before) : undefined));
  const how = isOtherwise ? 'otherwise' : 'again';
  const wrong: RootCauseEvent[] =
    id === undefined
      ? []
      : [
          {
            type: 'hypothesis-refuted',
            id,
            evidence: `the next attempt failed ${how}: ${diagnosis.rootCause}`,
          },
        ];
  return [...wrong, ...hypothesesOpened(diagnosis)].reduce(foldRootCause, rootCauses);
}

/** Only a rescue that acted on the cause confirms it: a successful retry proves nothing about the cause. */
function confirmed({ rootCauses, diagnosis, recoveries }: Incident, proof: string): RootCauseLog {
  const acted = recoveries.some(({ phase }) => phase >= 2);
  if (diagnosis === null || !acted) return rootCauses;
  return foldRootCause(rootCauses, {
    type: 'hypothesis-confirmed',
    id: ownCause(rootCauses, diagnosis) ?? firstOf(diagnosis),
    evidence: proof,
  });
}

/** The hypothesis of the person on whose word the last rescue acted. */
function ownCause({ hypotheses }: RootCauseLog, { origin, rootCause }: Diagnosis): string | undefined {
  return origin === 'person' ? hypotheses.find(({ cause }) => cause === rootCause)?.id : undefined;
}

/** The hypothesis that the rules took for the cause. */
function firstOf({ fingerprint }: Diagnosis): string {
  return `${fingerprint}/1`;
}

function change(state: RunState, id: string, fields: (incident: Incident) => Partial<Incident>): RunState {
  return {
    ...state,
    incidents: state.incidents.map((incident) =>
      incident.id === id ? { ...incident, ...fields(incident) } : incident,
    ),
  };
}
