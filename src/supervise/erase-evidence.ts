/** `eraseEvidence`: erases the payload of a ledger entry (a leaked secret). First it writes to the ledger which person does it and why. */
import { z } from 'zod';
import { usageError } from '../platform/mayday-error.ts';
import { canonicalJson } from '../record/canonical-json.ts';
import type { RunRecord } from '../record/contract.ts';
import type { LedgerEntry, SharedChain } from '../record/contract/ledger.ts';
import { safeParse } from '../platform/safe-parse.ts';

const CHAIN: SharedChain = '@erasures';

const Erasure = z.object({
  ledgerId: z.string(),
  run: z.string(),
  seq: z.number(),
  kind: z.string(),
  by: z.string(),
  note: z.string(),
});
export type Erasure = Readonly<z.infer<typeof Erasure>> & { readonly at: number };

export async function readErasures(record: RunRecord): Promise<readonly Erasure[]> {
  return (await record.ledger(CHAIN)).flatMap(({ payload, at }) => {
    const read = payload === null ? null : safeParse(Erasure, JSON.parse(payload)).data;
    return read ? [{ ...read, at }] : [];
  });
}

/** `name`: the id of the entry, or `RUN@SEQ`. */
export async function eraseEvidence(
  record: RunRecord,
  {
    name,
    by,
    note,
    at,
  }: { readonly name: string; readonly by: string; readonly note: string; readonly at: number },
): Promise<Erasure> {
  const entry = await findEntry(record, name);
  const done = (await readErasures(record)).find(({ ledgerId }) => ledgerId === entry.id);
  if (entry.payload === null)
    throw usageError('ALREADY_ERASED', `the payload of ${entry.id} is gone already`, [
      [
        'did',
        done === undefined
          ? 'the record does not say who erased it: run mayday verify'
          : `${done.by} erased it: ${done.note}`,
      ],
    ]);
  const erasure = done ?? {
    ledgerId: entry.id,
    run: entry.runId,
    seq: entry.seq,
    kind: entry.kind,
    by,
    note,
    at,
  };
  if (done === undefined) {
    const { at: _, ...payload } = erasure;
    await record.appendEvidence(CHAIN, [
      { id: `${CHAIN}.${entry.id}`, kind: 'erasure', at, payload: canonicalJson(payload) },
    ]);
  }
  await record.erase(entry.id);
  return erasure;
}

async function findEntry(record: RunRecord, name: string): Promise<LedgerEntry> {
  const [, run, seq] = /^(.+)@(\d+)$/.exec(name) ?? [];
  const entries = await record.ledger(run ?? name.split('.')[0] ?? '');
  const entry = entries.find((one) => (run === undefined ? one.id === name : one.seq === Number(seq)));
  if (entry !== undefined) return entry;
  throw usageError('LEDGER_UNKNOWN', `there is no ledger entry ${JSON.stringify(name.slice(0, 120))}`, [
    ['do', 'mayday ledger RUN lists them; name one as RUN@SEQ or by its id'],
    ['did', 'nothing was erased'],
  ]);
}
