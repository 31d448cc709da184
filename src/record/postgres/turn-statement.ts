/**
 * `turnStatement`: a whole turn as one statement of SQL. Every part writes only if `head`, the first part, found the run as its writer
 * expects it; a part that cannot be done as asked takes the whole statement back.
 */
import type { StoredTurn } from '../contract/journal.ts';
import type { LedgerEntry } from '../contract/ledger.ts';
import { madeHere, type Redacted, type RedactedText } from '../redaction/redacted.ts';
import { storable } from '../storable.ts';
import { busId, TRANSACTION } from './parts/bus-id.ts';
import type { Bound } from './connection.ts';
import { ROW_TYPES, rowValues } from '../stored-rows.ts';

/** What a turn saves in the row of its run. The values of the row come first in every turn, so their places never change. */
const SAVED = [
  ...Object.entries({ ...ROW_TYPES, view: 'text' }).map(
    ([name, type], index) => [name, `$${index + 1}::${type}`] as const,
  ),
  ['change', TRANSACTION] as const,
];
const ADD_ROW = `listed AS (INSERT INTO run_rows (run, ${SAVED.map(([name]) => name).join(', ')})
  SELECT head.run, ${SAVED.map(([, value]) => value).join(', ')} FROM head)`;
/** A turn that updates costs the server less than one that first looks whether the row exists. */
const UPDATE_ROW = `listed AS (UPDATE run_rows v SET ${SAVED.map((each) => each.join(' = ')).join(', ')}
  WHERE v.run = (SELECT run FROM head))`;

export type TurnParts = Redacted<Omit<StoredTurn, 'fence' | 'expectedSeq'>>;

export interface Statement {
  readonly sql: string;
  readonly values: readonly Bound[];
}

type Column<Item> = readonly [name: string, type: string, of: (item: Item) => RedactedText | number];

/** Collects values and gives each the place by which the SQL names it. */
export class Places {
  readonly values: Bound[];

  constructor(values: Bound[] = []) {
    this.values = values;
  }

  add(value: Bound, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }

  /** The items as rows of a table, each with its `place` from 1 on. One item, as most turns have, costs less outside of arrays. */
  table<Item>(name: string, items: readonly Item[], columns: readonly Column<Item>[]): string {
    const as = `AS ${name} (${columns.map(([column]) => column).join(', ')}, place)`;
    const [only] = items;
    if (only !== undefined && items.length === 1)
      return `(VALUES (${columns.map(([, type, of]) => this.add(of(only), type)).join(', ')}, 1)) ${as}`;
    const arrays = columns.map(([, type, of]) => this.add(items.map(of), `${type}[]`));
    return `unnest(${arrays.join(', ')}) WITH ORDINALITY ${as}`;
  }
}

export interface TurnPlace {
  /** Where the journal ends before and after the turn. */
  readonly from: number;
  readonly seq: number;
  readonly isNew: boolean;
}

/** `head`: makes the part that finds or creates the run; it returns `run` and `fence`. */
export function turnStatement(
  head: (places: Places) => string,
  turn: TurnParts,
  { from, seq, isNew }: TurnPlace,
  links: readonly StoredLink[],
): Statement {
  const places = new Places([...rowValues(turn.row), turn.row.view]);
  const parts = [`head AS (${head(places)})`];
  const refusals: string[] = [];
  const at = turn.events.at(-1)?.at ?? turn.row.updatedAt;
  if (turn.events.length > 0) parts.push(addEvents(places, turn.events, from));
  const settled = turn.settled ?? [];
  const settledPlace = settled.length > 0 ? places.add([...new Set(settled)], 'text[]') : null;
  if (turn.commands?.length) {
    parts.push(...addCommands(places, turn.commands, { seq, at, settled: settledPlace }));
    refusals.push(
      `WHEN EXISTS (SELECT 1 FROM reused) THEN refuse(false, 'A command key was used before for another command.')`,
    );
  }
  if (settledPlace !== null) {
    parts.push(
      `settled AS (UPDATE commands c SET settled = true FROM head
        WHERE c.run = head.run AND c.key = ANY (${settledPlace}) RETURNING c.key)`,
    );
    const known = turn.commands?.length
      ? 'SELECT key FROM settled UNION SELECT key FROM asked'
      : 'SELECT key FROM settled';
    refusals.push(
      `WHEN NOT ${settledPlace} <@ ARRAY(${known}) THEN refuse(false, 'A command cannot be settled: it was never asked for.')`,
    );
  }
  if (turn.timers !== undefined) parts.push(...saveTimers(places, turn.timers));
  if (turn.acknowledged?.length) {
    const ids = places.add([...turn.acknowledged], 'bigint[]');
    parts.push(
      `taken AS (DELETE FROM mailbox m USING head WHERE m.run = head.run AND m.id = ANY (${ids}) RETURNING m.id)`,
    );
    refusals.push(
      `WHEN (SELECT count(*) FROM taken) <> cardinality(${ids}) THEN refuse(true, 'A mailbox item was already taken.')`,
    );
  }
  if (turn.bus?.length) parts.push(addToBus(places, turn.bus));
  if (links.length > 0) parts.push(addLinks(places, links));
  parts.push(isNew ? ADD_ROW : UPDATE_ROW);
  if (turn.row.metrics !== undefined) parts.push(saveMetrics(places, turn.row, turn.row.metrics));
  const refused = refusals.length === 0 ? '' : `CASE ${refusals.join(' ')} ELSE false END`;
  // The refusals only count where the head was found: otherwise nothing was written, and the writer is stale.
  return { sql: `WITH ${parts.join(',\n')}\nSELECT ${refused} FROM head`, values: places.values };
}

function addEvents(places: Places, events: TurnParts['events'], from: number): string {
  const table = places.table('e', events, [
    ['at', 'bigint', ({ at }) => at],
    ['version', 'integer', ({ version }) => version],
    ['type', 'text', ({ type }) => type],
    ['body', 'text', ({ body }) => storable(body)],
  ]);
  return `added AS (INSERT INTO events (run, seq, at, version, type, fence, body)
    SELECT head.run, ${places.add(from, 'bigint')} + e.place, e.at, e.version, e.type, head.fence, e.body FROM head, ${table})`;
}

function addCommands(
  places: Places,
  commands: NonNullable<TurnParts['commands']>,
  { seq, at, settled }: { seq: number; at: number; settled: string | null },
): string[] {
  const known = new Map<string, string>();
  for (const { key, type, body } of commands) {
    const text = JSON.stringify([type, body]);
    if ((known.get(key) ?? text) !== text)
      throw new Error(`Command key ${key} was used before for another command.`);
    known.set(key, text);
  }
  const table = places.table('c', commands, [
    ['key', 'text', ({ key }) => key],
    ['type', 'text', ({ type }) => type],
    ['body', 'text', ({ body }) => storable(body)],
  ]);
  const seqPlace = places.add(seq, 'bigint');
  const isSettled = settled === null ? 'false' : `c.key = ANY (${settled})`;
  return [
    `wanted AS (SELECT head.run, c.* FROM head, ${table})`,
    `reused AS (SELECT 1 FROM wanted w JOIN commands c USING (run, key) WHERE c.type <> w.type OR c.body <> w.body)`,
    `asked AS (INSERT INTO commands (run, key, seq, position, type, created_at, settled, body)
      SELECT c.run, c.key, ${seqPlace}, row_number() OVER (ORDER BY c.place) - 1
        + (SELECT coalesce(max(x.position) + 1, 0) FROM commands x WHERE x.run = c.run AND x.seq = ${seqPlace}),
        c.type, ${places.add(at, 'bigint')}, ${isSettled}, c.body
      FROM wanted c WHERE NOT EXISTS (SELECT 1 FROM commands x WHERE x.run = c.run AND x.key = c.key)
      ON CONFLICT (run, key) DO NOTHING RETURNING key)`,
  ];
}

function saveTimers(places: Places, { set, cancel }: NonNullable<TurnParts['timers']>): string[] {
  const names = set.map(({ name }) => name);
  const gone = cancel.filter((name) => !(names as readonly string[]).includes(name));
  return [
    ...(gone.length === 0
      ? []
      : [
          `cancelled AS (DELETE FROM timers t USING head WHERE t.run = head.run AND t.name = ANY (${places.add(gone, 'text[]')}))`,
        ]),
    ...(set.length === 0
      ? []
      : [
          `timed AS (INSERT INTO timers (run, name, due_at) SELECT head.run, t.name, t.due_at FROM head, ${places.table(
            't',
            set,
            [
              ['name', 'text', ({ name }) => name],
              ['due_at', 'bigint', ({ dueAt }) => dueAt],
            ],
          )} ON CONFLICT (run, name) DO UPDATE SET due_at = excluded.due_at)`,
        ]),
  ];
}

function addToBus(places: Places, messages: NonNullable<TurnParts['bus']>): string {
  const table = places.table('m', messages, [
    ['at', 'bigint', ({ at }) => at],
    ['source', 'text', ({ source }) => source],
    ['body', 'text', ({ body }) => storable(body)],
  ]);
  return `said AS (INSERT INTO bus (id, at, source, body) SELECT ${busId('m.place')}, m.at, m.source, m.body FROM head, ${table})`;
}

type StoredLink = LedgerEntry & { readonly payload: string };

const LINK_COLUMNS: readonly Column<StoredLink>[] = [
  ['id', 'text', ({ id }) => madeHere(id)],
  ['kind', 'text', ({ kind }) => madeHere(kind)],
  ['salt', 'text', ({ salt }) => madeHere(salt)],
  ['payload', 'text', ({ payload }) => madeHere(storable(payload))],
  ['commitment', 'text', ({ commitment }) => madeHere(commitment)],
  ['previous_hash', 'text', ({ previousHash }) => madeHere(previousHash)],
  ['hash', 'text', ({ hash }) => madeHere(hash)],
  ['seq', 'bigint', ({ seq }) => seq],
  ['at', 'bigint', ({ at }) => at],
];

/** Also for evidence that belongs to no run. */
export function addLinks(places: Places, links: readonly StoredLink[]): string {
  const columns = LINK_COLUMNS.map(([name]) => name);
  return `linked AS (INSERT INTO ledger (run, ${columns.join(', ')})
    SELECT head.run, ${columns.map((name) => `l.${name}`).join(', ')} FROM head, ${places.table('l', links, LINK_COLUMNS)})`;
}

export const ON_METRICS_CONFLICT = `ON CONFLICT (id) DO UPDATE SET repository = excluded.repository, at = excluded.at,
  imported = excluded.imported, body = excluded.body WHERE run_metrics.body <> excluded.body`;

function saveMetrics(places: Places, row: TurnParts['row'], metrics: RedactedText): string {
  return `measured AS (INSERT INTO run_metrics (id, repository, at, imported, body)
    SELECT ${places.add(row.runId, 'text')}, ${places.add(row.repository, 'text')}, ${places.add(row.createdAt, 'bigint')},
      false, ${places.add(storable(metrics), 'text')} FROM head ${ON_METRICS_CONFLICT})`;
}
