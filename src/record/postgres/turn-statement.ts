/**
 * `turnStatement`: a whole turn as one statement of SQL. Every part writes only if `head`, the first part, found the run as its writer
 * expects it; a part that cannot be done as asked takes the whole statement back.
 */
import type { StoredTurn } from '../contract/journal.ts';
import type { LedgerEntry } from '../contract/ledger.ts';
import { madeHere, type Redacted } from '../redaction/redacted.ts';
import { storable } from '../storable.ts';
import { busId, TRANSACTION } from './parts/bus-id.ts';
import { type Rows, rowsOf, SqlText } from './sql-text.ts';
import { ROW_TYPES, rowValues } from '../stored-rows.ts';

/** What a turn saves in the row of its run. */
const SAVED = [
  ...Object.entries({ ...ROW_TYPES, view: 'text' }).map(([name, type]) => [name, `?::${type}`] as const),
  ['change', TRANSACTION] as const,
];
const ADD_ROW = `, listed AS (INSERT INTO run_rows (run, ${SAVED.map(([name]) => name).join(', ')})
  SELECT head.run, ${SAVED.map(([, value]) => value).join(', ')} FROM head)`.split('?');
/** A turn that updates costs the server less than one that first looks whether the row exists. */
const UPDATE_ROW = `, listed AS (UPDATE run_rows v SET ${SAVED.map((each) => each.join(' = ')).join(', ')}
  WHERE v.run = (SELECT run FROM head))`.split('?');

export type TurnParts = Redacted<Omit<StoredTurn, 'fence' | 'expectedSeq'>>;
type Part<Name extends keyof TurnParts> = NonNullable<TurnParts[Name]>;

const EVENTS = rowsOf<Part<'events'>[number]>('e', [
  ['at', 'bigint', ({ at }) => at],
  ['version', 'integer', ({ version }) => version],
  ['type', 'text', ({ type }) => type],
  ['body', 'text', ({ body }) => storable(body)],
]);
const COMMANDS = rowsOf<Part<'commands'>[number]>('c', [
  ['key', 'text', ({ key }) => key],
  ['type', 'text', ({ type }) => type],
  ['body', 'text', ({ body }) => storable(body)],
]);
const TIMERS = rowsOf<Part<'timers'>['set'][number]>('t', [
  ['name', 'text', ({ name }) => name],
  ['due_at', 'bigint', ({ dueAt }) => dueAt],
]);
const MESSAGES = rowsOf<Part<'bus'>[number]>('m', [
  ['at', 'bigint', ({ at }) => at],
  ['source', 'text', ({ source }) => source],
  ['body', 'text', ({ body }) => storable(body)],
]);
const ADD_MESSAGES = [
  `, said AS (INSERT INTO bus (id, at, source, body) SELECT ${busId('m.place')}, m.at, m.source, m.body FROM head, `,
];

export interface TurnPlace {
  /** Where the journal ends before and after the turn. */
  readonly from: number;
  readonly seq: number;
  readonly isNew: boolean;
}

/** `head`: makes the part that finds or creates the run; it returns `run` and `fence`. */
export function turnStatement(
  head: (text: SqlText) => void,
  turn: TurnParts,
  { from, seq, isNew }: TurnPlace,
  links: readonly StoredLink[],
): SqlText {
  const text = new SqlText();
  const { commands = [], settled = [], acknowledged = [], bus = [], row } = turn;
  /** They only count where the head was found: otherwise nothing was written, and the writer is stale. */
  const refusals: (() => void)[] = [];
  text.add`WITH head AS (`;
  head(text);
  text.add`)`;
  if (turn.events.length > 0) {
    text.add`, added AS (INSERT INTO events (run, seq, at, version, type, fence, body)
  SELECT head.run, ${from}::bigint + e.place, e.at, e.version, e.type, head.fence, e.body FROM head, `;
    text.addRows(EVENTS, turn.events);
    text.add`)`;
  }
  if (settled.length > 0) {
    text.add`, settled AS (UPDATE commands c SET settled = true FROM head
  WHERE c.run = head.run AND c.key = ANY (${[...new Set(settled)]}::text[]) RETURNING c.key)`;
    const keys = text.lastPlace;
    refusals.push(() => {
      text.add` WHEN NOT ${keys} <@ ARRAY(SELECT key FROM settled`;
      if (commands.length > 0) text.add` UNION SELECT key FROM asked`;
      text.add`) THEN refuse(false, 'A command cannot be settled: it was never asked for.')`;
    });
  }
  if (commands.length > 0) {
    const at = turn.events.at(-1)?.at ?? row.updatedAt;
    addCommands(text, commands, { seq, at, settled });
    refusals.unshift(
      () =>
        text.add` WHEN EXISTS (SELECT 1 FROM reused) THEN refuse(false, 'A command key was used before for another command.')`,
    );
  }
  if (turn.timers !== undefined) saveTimers(text, turn.timers);
  if (acknowledged.length > 0) {
    text.add`, taken AS (DELETE FROM mailbox m USING head
      WHERE m.run = head.run AND m.id = ANY (${[...acknowledged]}::bigint[]) RETURNING m.id)`;
    const ids = text.lastPlace;
    refusals.push(
      () =>
        text.add` WHEN (SELECT count(*) FROM taken) <> cardinality(${ids}) THEN refuse(true, 'A mailbox item was already taken.')`,
    );
  }
  if (bus.length > 0) {
    text.add(ADD_MESSAGES);
    text.addRows(MESSAGES, bus);
    text.add`)`;
  }
  if (links.length > 0) {
    text.add`, `;
    addLinks(text, links);
  }
  text.add(isNew ? ADD_ROW : UPDATE_ROW, ...rowValues(row), row.view);
  if (row.metrics !== undefined)
    text.add(SAVED_METRICS, row.runId, row.repository, row.createdAt, storable(row.metrics));
  text.add` SELECT `;
  if (refusals.length > 0) text.add`CASE`;
  for (const refuse of refusals) refuse();
  if (refusals.length > 0) text.add` ELSE false END`;
  text.add` FROM head`;
  return text;
}

function addCommands(
  text: SqlText,
  commands: Part<'commands'>,
  { seq, at, settled }: { seq: number; at: number; settled: Part<'settled'> },
): void {
  const known = new Map<string, string>();
  for (const { key, type, body } of commands) {
    const said = JSON.stringify([type, body]);
    if ((known.get(key) ?? said) !== said)
      throw new Error(`Command key ${key} was used before for another command.`);
    known.set(key, said);
  }
  text.add`, wanted AS (SELECT head.run, c.* FROM head, `;
  text.addRows(COMMANDS, commands);
  text.add`),
reused AS (SELECT 1 FROM wanted w JOIN commands c USING (run, key) WHERE c.type <> w.type OR c.body <> w.body),
asked AS (INSERT INTO commands (run, key, seq, position, type, created_at, settled, body)
  SELECT c.run, c.key, ${seq}::bigint, row_number() OVER (ORDER BY c.place) - 1
    + (SELECT coalesce(max(x.position) + 1, 0) FROM commands x WHERE x.run = c.run AND x.seq = ${seq}::bigint),
    c.type, ${at}::bigint, c.key = ANY (${[...settled]}::text[]), c.body
  FROM wanted c WHERE NOT EXISTS (SELECT 1 FROM commands x WHERE x.run = c.run AND x.key = c.key)
  ON CONFLICT (run, key) DO NOTHING RETURNING key)`;
}

function saveTimers(text: SqlText, { set, cancel }: Part<'timers'>): void {
  const names = set.map(({ name }) => name);
  const gone = cancel.filter((name) => !(names as readonly string[]).includes(name));
  if (gone.length > 0)
    text.add`, cancelled AS (DELETE FROM timers t USING head WHERE t.run = head.run AND t.name = ANY (${gone}::text[]))`;
  if (set.length === 0) return;
  text.add`, timed AS (INSERT INTO timers (run, name, due_at) SELECT head.run, t.name, t.due_at FROM head, `;
  text.addRows(TIMERS, set);
  text.add` ON CONFLICT (run, name) DO UPDATE SET due_at = excluded.due_at)`;
}

type StoredLink = LedgerEntry & { readonly payload: string };

const LINKS: Rows<StoredLink> = rowsOf('l', [
  ['id', 'text', ({ id }) => madeHere(id)],
  ['seq', 'bigint', ({ seq }) => seq],
  ['kind', 'text', ({ kind }) => madeHere(kind)],
  ['at', 'bigint', ({ at }) => at],
  ['salt', 'text', ({ salt }) => madeHere(salt)],
  ['payload', 'text', ({ payload }) => madeHere(storable(payload))],
  ['commitment', 'text', ({ commitment }) => madeHere(commitment)],
  ['previous_hash', 'text', ({ previousHash }) => madeHere(previousHash)],
  ['hash', 'text', ({ hash }) => madeHere(hash)],
]);

/** Also for evidence that belongs to no run. */
export function addLinks(text: SqlText, links: readonly StoredLink[]): void {
  text.add`linked AS (INSERT INTO ledger (run, id, seq, kind, at, salt, payload, commitment, previous_hash, hash)
  SELECT head.run, l.id, l.seq, l.kind, l.at, l.salt, l.payload, l.commitment, l.previous_hash, l.hash FROM head, `;
  text.addRows(LINKS, links);
  text.add`)`;
}

export const ON_METRICS_CONFLICT = `ON CONFLICT (id) DO UPDATE SET repository = excluded.repository, at = excluded.at,
  imported = excluded.imported, body = excluded.body WHERE run_metrics.body <> excluded.body`;
const SAVED_METRICS = `, measured AS (INSERT INTO run_metrics (id, repository, at, imported, body)
  SELECT ?::text, ?::text, ?::bigint, false, ?::text FROM head ${ON_METRICS_CONFLICT})`.split('?');
