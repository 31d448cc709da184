/** `markFalsePositive`: records a person's word that an incident was none, as evidence; the report counts it. */
import { randomUUID } from 'node:crypto';
import { canonicalJson } from '../record/canonical-json.ts';
import type { RunRecord } from '../record/contract.ts';

const CHAIN = '@report';
const KIND = 'false_positive';

export async function markFalsePositive(
  record: RunRecord,
  incident: string,
  word: { readonly by: string; readonly note: string; readonly at: number },
): Promise<void> {
  const payload = canonicalJson({ incident, ...word });
  await record.appendEvidence(CHAIN, [{ id: `${CHAIN}.${randomUUID()}`, kind: KIND, at: word.at, payload }]);
}

export async function readFalsePositives(record: RunRecord): Promise<ReadonlySet<string>> {
  const entries = await record.ledger(CHAIN);
  return new Set(
    entries.flatMap(({ kind, payload }) =>
      kind === KIND && payload !== null ? [(JSON.parse(payload) as { incident: string }).incident] : [],
    ),
  );
}
