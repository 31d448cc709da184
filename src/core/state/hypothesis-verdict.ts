/** `refutedBy`, `confirmedBy`: the verdict on the hypothesis that a rescue acted on. It is decided once and journaled. */
import type { Diagnosis } from '../vocabulary/diagnosis.ts';
import type { HypothesisVerdict } from '../vocabulary/events/decisions.ts';
import type { RootCauseLog } from './root-cause-log.ts';
import type { Incident } from './run-state.ts';

/** A new diagnosis of the same incident refutes the cause on which the last rescue was based. */
export function refutedBy(
  { rootCauses, diagnosis: before }: Incident,
  diagnosis: Diagnosis,
): HypothesisVerdict | null {
  if (before === null) return null;
  const isOtherwise = before.fingerprint !== diagnosis.fingerprint;
  const id = ownCause(rootCauses, before) ?? (isOtherwise ? firstOf(before) : undefined);
  const how = isOtherwise ? 'otherwise' : 'again';
  return id === undefined ? null : { id, evidence: `the next attempt failed ${how}: ${diagnosis.rootCause}` };
}

/** Only a rescue that acted on the cause confirms it: a successful retry proves nothing about the cause. */
export function confirmedBy(
  { rootCauses, diagnosis, recoveries }: Incident,
  { outcome, proof }: { readonly outcome: Incident['outcome']; readonly proof: string },
): HypothesisVerdict | null {
  const acted = recoveries.some(({ phase }) => phase >= 2);
  if (outcome !== 'resolved' || diagnosis === null || !acted) return null;
  return { id: ownCause(rootCauses, diagnosis) ?? firstOf(diagnosis), evidence: proof };
}

function ownCause({ hypotheses }: RootCauseLog, { origin, rootCause }: Diagnosis): string | undefined {
  return origin === 'person' ? hypotheses.find(({ cause }) => cause === rootCause)?.id : undefined;
}

function firstOf({ fingerprint }: Diagnosis): string {
  return `${fingerprint}/1`;
}
