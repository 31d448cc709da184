/** `readVersion1`: turns an event of a version-1 journal into today's form. Frozen: such journals are kept for ever. */
import type { Diagnosis } from '../../vocabulary/diagnosis.ts';
import type { RunEvent } from '../../vocabulary/events/event.ts';
import { readBlocker, type TextBlocker } from './read-blocker.ts';

/** Then an observed cause was known by the end of its fingerprint. */
const OBSERVED = ':observed';

export function readVersion1(event: RunEvent): RunEvent {
  switch (event.type) {
    case 'blocked':
      return { ...event, blockers: event.blockers.map((one) => readBlocker(one as unknown as TextBlocker)) };
    case 'delivery_blocked':
      return { ...event, blocker: readBlocker(event.blocker as unknown as TextBlocker) };
    case 'incident_diagnosed':
      return { ...event, diagnosis: withOrigin(event.diagnosis) };
    case 'attempt_examined': {
      const { diagnosis } = event.examination;
      return diagnosis === null
        ? event
        : { ...event, examination: { ...event.examination, diagnosis: withOrigin(diagnosis) } };
    }
    case 'question_answered':
      return { ...event, version: 1 };
    default:
      return event;
  }
}

function withOrigin(diagnosis: Diagnosis): Diagnosis {
  return { ...diagnosis, origin: diagnosis.fingerprint.endsWith(OBSERVED) ? 'observed' : 'read' };
}
