/**
 * `activeHolds`: lists every hold in force, the runs that wait for it and the question that ends it. `stayingOf`: what keeps a run after
 * that. `liftHold`: ends one for a person.
 */
import { createHash } from 'node:crypto';
import { readView } from '../core/view/read-view.ts';
import type { Hold, HoldNotice } from '../core/vocabulary/hold.ts';
import type { RunJson } from '../core/view/run-json.ts';
import { canonicalJson } from '../record/canonical-json.ts';
import type { RunRecord } from '../record/contract.ts';
import type { SharedChain } from '../record/contract/ledger.ts';

/** The chain of evidence for holds that people released. */
const CHAIN: SharedChain = '@holds';
/** Few holds are active at once: four digits tell them apart, and the kind says what it is. */
const ID_DIGITS = 4;

export interface ActiveHold {
  readonly id: string;
  readonly hold: Hold;
  /** Runs that wait for it now; some wait for something else too. */
  readonly waiting: readonly string[];
  /** Of these, the runs that do not start when it ends. */
  readonly staying: readonly Staying[];
  /** The open question of its owner whose answer ends it. */
  readonly question: string | null;
}

export interface Staying {
  readonly runId: string;
  /** The other holds that keep it. */
  readonly holds: readonly Pick<HoldNotice, 'key' | 'kind'>[];
  /** Its own pause lasts until then; null: it has none. */
  readonly pauseUntil: number | null;
}

export async function activeHolds(record: RunRecord, now: number): Promise<readonly ActiveHold[]> {
  const holds = (await record.holds()).filter(
    // A hold of the fleet's cap ends by time alone.
    ({ liftedAt, kind, until }) => liftedAt === null && !(kind === 'fleet' && (until ?? 0) <= now),
  );
  if (holds.length === 0) return [];
  const ended = await endedOwners(record, holds);
  const views = (await record.rows({ ended: false })).map(readView).toSorted(byBeginning);
  return holds
    .filter(({ holder, kind }) => kind === 'fleet' || !ended.includes(holder))
    .map((hold) => {
      const held = views.filter((view) => isHeldBy(view, hold));
      return {
        id: `${hold.kind}-${createHash('sha256').update(hold.key).digest('hex').slice(0, ID_DIGITS)}`,
        hold,
        waiting: held.map(({ run_id }) => run_id),
        staying: held.flatMap((view) => stayingOf(view, hold, now)),
        question: hold.until === null ? questionOf(views, hold.holder) : null,
      };
    });
}

/** Holders and probes of active holds that have ended. */
export async function endedOwners(record: RunRecord, holds: readonly Hold[]): Promise<readonly string[]> {
  const active = holds.filter(({ liftedAt }) => liftedAt === null);
  const named = new Set(active.flatMap(({ holder, probe }) => [holder, ...(probe === null ? [] : [probe])]));
  const ended: string[] = [];
  for (const runId of named) if ((await record.row(runId))?.ended !== false) ended.push(runId);
  return ended;
}

export async function liftHold(
  record: RunRecord,
  { id, hold }: ActiveHold,
  word: { readonly by: string; readonly note: string; readonly at: number },
): Promise<void> {
  const { key, kind, reason, holder } = hold;
  const payload = canonicalJson({ hold: id, key, kind, reason, owner: holder, by: word.by, note: word.note });
  // The evidence is written before the hold is lifted. Two releases of one hold have the same id and count as one.
  const entry = { id: `${CHAIN}.${id}.${hold.since}`, kind: 'hold_released', at: word.at, payload };
  await record.appendEvidence(CHAIN, [entry]);
  await record.changeHold({ type: 'lift', key, now: word.at, releasedBy: word.by });
}

/** A run waits for every hold that it was told of. One that asks a person waits for the person first. */
function isHeldBy({ state, holds, waiting }: Partial<RunJson>, { key }: Hold): boolean {
  return state === 'waiting' && waiting?.for !== 'person' && (holds ?? []).some((held) => held.key === key);
}

/** What keeps a run that waits for this hold when it ends; none: it starts then. */
export function stayingOf(
  { run_id, holds, waiting, attempts }: RunJson,
  { key }: Hold,
  now: number,
): Staying[] {
  const lasts = (until: string | null) => until === null || Date.parse(until) > now;
  const others = holds.filter((held) => held.key !== key && lasts(held.until));
  // An attempt that is planned and not started waits for holds alone.
  const isReady = attempts.at(-1)?.started_at === null;
  // The pause of a run that met the cause of another hold itself is the time of that hold.
  const isToldByHold = others.some(({ owner }) => owner === run_id);
  const until = isReady || isToldByHold ? null : (waiting?.until ?? null);
  const pause = until === null ? 0 : Date.parse(until);
  if (others.length === 0 && pause <= now) return [];
  return [
    {
      runId: run_id,
      holds: others.map(({ key: other, kind }) => ({ key: other, kind })),
      pauseUntil: pause > now ? pause : null,
    },
  ];
}

/** A list that a person reads keeps its order while the runs change. */
function byBeginning(a: RunJson, b: RunJson): number {
  return (a.created_at ?? '').localeCompare(b.created_at ?? '');
}

function questionOf(views: readonly RunJson[], owner: string): string | null {
  const open = views.find(({ run_id }) => run_id === owner)?.questions.find(({ state }) => state === 'open');
  return open?.id ?? null;
}
