/** `journal`: the events of runs in PostgreSQL. */
import { type MaydayError, usageError } from '../../../platform/mayday-error.ts';
import type { JournalRecord, StoredTurn } from '../../contract/journal.ts';
import { StaleWriter } from '../../contract/record-unavailable.ts';
import { GENESIS_HASH, nextLink } from '../../ledger-chain.ts';
import { madeHere, type RedactedText } from '../../redaction/redacted.ts';
import { foldIntoBus, mustBeFolded } from './bus.ts';
import type { Connection, Query, Row } from '../connection.ts';
import { rows } from './rows.ts';
import type { SqlText } from '../sql-text.ts';
import { type TurnParts, turnStatement } from '../turn-statement.ts';
import { eventOf, reader } from '../../stored-rows.ts';

type LedgerEnd = Pick<RunHead, 'ledgerSeq' | 'ledgerHash'>;

type LedgerLink = ReturnType<typeof linksAfter>[number];

interface Written {
  /** Under another one another process may have written since. */
  readonly fence: number;
  readonly end: LedgerEnd | undefined;
  /** As they were given. */
  readonly metrics: string | undefined;
}

const EMPTY_LEDGER: LedgerEnd = { ledgerSeq: 0, ledgerHash: GENESIS_HASH };
const FIRST_FENCE = 1;

export function journal(connection: Connection): Omit<JournalRecord, 'anchored'> {
  /** What this process wrote last: only the holder of a lease writes. */
  const written = new Map<string, Written>();
  const remember = (
    { runId, row }: Omit<StoredTurn, 'fence' | 'expectedSeq'>,
    fence: number,
    last?: LedgerLink,
    before?: Written,
  ): void => {
    written.set(runId, {
      fence,
      end: last === undefined ? before?.end : { ledgerSeq: last.seq, ledgerHash: last.hash },
      metrics: row.metrics ?? before?.metrics,
    });
  };

  const write = async ({ sql, values }: SqlText, turn: TurnParts): Promise<boolean> => {
    if (!mustBeFolded(turn.bus ?? [])) return (await connection.write(sql, values)).length === 1;
    return await connection.transaction(async (ask) => {
      if ((await ask(sql, values)).length === 0) return false;
      await foldIntoBus(ask, turn.bus ?? []);
      return true;
    });
  };

  const commit = async (given: StoredTurn, known: Written | undefined): Promise<void> => {
    // Most turns change no number.
    const hasMetrics = known?.fence === given.fence && known.metrics === given.row.metrics;
    const turn = connection.redacted(hasMetrics ? withoutMetrics(given) : given);
    const { runId, fence, expectedSeq } = turn;
    const needsEnd = (turn.ledger?.length ?? 0) > 0;
    const end = needsEnd ? (known?.end ?? (await ledgerEnd(connection, runId))) : EMPTY_LEDGER;
    const links = linksAfter(runId, end, turn);
    const seq = expectedSeq + turn.events.length;
    const head = (text: SqlText): void => {
      const last = links.at(-1);
      text.add`UPDATE runs SET head_seq = ${seq}::bigint`;
      if (last !== undefined)
        text.add`, ledger_seq = ${last.seq}::bigint, ledger_hash = ${madeHere(last.hash)}::text`;
      text.add` WHERE run_id = ${runId}::text AND held AND fence = ${fence}::bigint AND head_seq = ${expectedSeq}::bigint`;
      if (needsEnd) text.add` AND ledger_seq = ${end.ledgerSeq}::bigint`;
      text.add` RETURNING run, fence`;
    };
    // The outcome of a write may stay unknown.
    written.delete(given.runId);
    if (await write(turnStatement(head, turn, { from: expectedSeq, seq, isNew: false }, links), turn)) {
      remember(given, fence, links.at(-1), known);
      return;
    }
    const now = await runHead((sql, values) => connection.read(sql, values), runId);
    refuseStale(turn, now);
    // Only the end of the ledger was not as this process knew it.
    if (known?.end === undefined)
      throw new StaleWriter(`The ledger of run ${runId} was written to by another process.`);
    await commit(given, undefined);
  };

  return {
    ...rows(connection),

    createRun: async (given, lease) => {
      const turn = connection.redacted(given);
      const owner = connection.redacted(lease.owner);
      const { runId } = turn;
      const links = linksAfter(runId, EMPTY_LEDGER, turn);
      const last = links.at(-1);
      const head = (text: SqlText): void =>
        addRun(text, {
          runId,
          headSeq: turn.events.length,
          ledger: last === undefined ? EMPTY_LEDGER : { ledgerSeq: last.seq, ledgerHash: last.hash },
          lease: { owner, host: connection.host, now: connection.now, ttlMs: lease.ttlMs },
        });
      const place = { from: 0, seq: turn.events.length, isNew: true };
      if (!(await write(turnStatement(head, turn, place, links), turn))) throw runExists(runId);
      remember(given, FIRST_FENCE, last);
    },

    commit: (given) => commit(given, written.get(given.runId)),

    events: async (runId, afterSeq = 0, limit) => {
      const found = await connection.read(
        `SELECT e.seq, e.at, e.version, e.type, e.fence, e.body FROM events e
         WHERE e.run = (SELECT run FROM runs WHERE run_id = $1) AND e.seq > $2 ORDER BY e.seq LIMIT $3`,
        [connection.redacted(runId), afterSeq, limit ?? null],
      );
      return found.map((row) => eventOf(runId, row));
    },
  };
}

function withoutMetrics(turn: StoredTurn): StoredTurn {
  const { metrics: _, ...row } = turn.row;
  return { ...turn, row };
}

/** A run that exists gives no row back. */
export function addRun(
  text: SqlText,
  run: {
    readonly runId: RedactedText;
    readonly headSeq: number;
    readonly ledger: LedgerEnd;
    /** Null: nobody holds it. */
    readonly lease: {
      readonly owner: RedactedText;
      readonly host: RedactedText | null;
      /** See `store_now()`. */
      readonly now: number | null;
      readonly ttlMs: number;
    } | null;
  },
): void {
  const { runId, headSeq, ledger, lease } = run;
  // Ids also name folders and branches, where upper and lower case or Unicode forms may be the same name.
  const folded = madeHere(runId.normalize('NFKC').toLowerCase());
  text.add`INSERT INTO runs (run_id, folded_id, head_seq, ledger_seq, ledger_hash, fence, held, owner, expires_at, host, origin)
  VALUES (${runId}::text, ${folded}::text, ${headSeq}::bigint, ${ledger.ledgerSeq}::bigint, ${madeHere(ledger.ledgerHash)}::text,
    ${FIRST_FENCE}::bigint, `;
  if (lease === null) text.add`false, '', 0, null, null`;
  else
    text.add`true, ${lease.owner}::text,
    store_now(${lease.now}::bigint) + ${lease.ttlMs}::bigint, ${lease.host}::text, ${lease.host}::text`;
  text.add`) ON CONFLICT DO NOTHING RETURNING run, fence`;
}

async function ledgerEnd(connection: Connection, runId: RedactedText): Promise<LedgerEnd> {
  return (await runHead((sql, values) => connection.read(sql, values), runId)) ?? EMPTY_LEDGER;
}

function linksAfter(
  runId: string,
  { ledgerSeq, ledgerHash }: LedgerEnd,
  { ledger }: Pick<TurnParts, 'ledger'>,
) {
  let end = { seq: ledgerSeq, hash: ledgerHash };
  return (ledger ?? []).map((entry) => {
    const link = nextLink(runId, end, entry);
    end = link;
    return link;
  });
}

function refuseStale({ runId, fence, expectedSeq }: StoredTurn, head: RunHead | null): void {
  if (head === null) throw new StaleWriter(`There is no run ${runId}.`);
  if (!head.held || head.fence !== fence)
    throw new StaleWriter(
      `Fence ${fence} of run ${runId} is stale: it is now ${head.fence}${head.held ? '' : ', released'}.`,
    );
  if (head.headSeq !== expectedSeq)
    throw new StaleWriter(`Run ${runId} is at event ${head.headSeq}, the writer has seen ${expectedSeq}.`);
}

function runExists(runId: string): MaydayError {
  return usageError('RUN_EXISTS', `a run called ${runId} is already in the record`, [
    ['did', 'nothing: that run is left as it is'],
    ['do', `choose another name; mayday show ${runId} shows that run`],
  ]);
}

interface RunHead {
  readonly run: number;
  readonly headSeq: number;
  readonly ledgerSeq: number;
  readonly ledgerHash: string;
  readonly fence: number;
  readonly held: boolean;
}

async function runHead(ask: Query, runId: RedactedText): Promise<RunHead | null> {
  const [row] = await ask(
    'SELECT run, head_seq, ledger_seq, ledger_hash, fence, held FROM runs WHERE run_id = $1',
    [runId],
  );
  return row === undefined ? null : headOf(row);
}

const headOf: (row: Row) => RunHead = reader('run', 'headSeq', 'ledgerSeq', 'ledgerHash', 'fence', 'held');
