/**
 * `writeRunMetrics`, `readRunMetrics`: the stored form of metrics. Fields stand by position, because a hundred thousand rows with field
 * names take three times as long to read.
 */
import type { OpinionMetrics } from './opinion-metrics.ts';
import { INCIDENT, MISSION, RUN, type RunMetrics } from './run-metrics.ts';
import { jsonOrNull } from '../text/json.ts';

const VERSION = 1;
/** Up to `released`. */
const ALWAYS_WRITTEN = 17;

/** One shared empty list: a hundred thousand runs would otherwise make four hundred thousand. */
const NOTHING: readonly never[] = [];

// biome-ignore format: a table
const OPINION: OpinionMetrics = {
  by: '', kind: '', confidence: null, cost: 0, cameTrue: null, about: null, saysTrouble: null,
};
const RUN_FIELDS = Object.keys(RUN);
const INCIDENT_FIELDS = Object.keys(INCIDENT);
/** This place of a mission once held a number of changed specifications, which nothing reads any more. */
const UNUSED_PLACE = 7;
const MISSION_FIELDS = Object.keys(MISSION);
const OPINION_FIELDS = Object.keys(OPINION);

export function writeRunMetrics(run: RunMetrics): string {
  const lists = [
    run.incidents.map((incident) => valuesOf(incident, INCIDENT_FIELDS)),
    run.missions.map((mission) => valuesOf(mission, MISSION_FIELDS).toSpliced(UNUSED_PLACE, 0, 0)),
    run.shown.map((lesson) => [lesson.id, lesson.hash, lesson.attempt, lesson.match]),
    run.proposed,
    run.opinions.map((opinion) => valuesOf(opinion, OPINION_FIELDS)),
  ];
  // Most runs need none of the lists, and what is not written need not be read.
  while (lists.at(-1)?.length === 0) lists.pop();
  const workers = run.workers.length === 0 ? 0 : run.workers.map(({ agent, attempts }) => [agent, attempts]);
  const values = valuesOf({ ...run, workers }, RUN_FIELDS);
  // The last ones are rare.
  while (values.length > ALWAYS_WRITTEN && (values.at(-1) === 0 || values.at(-1) === false)) values.pop();
  return JSON.stringify([VERSION, values, ...lists]);
}

function valuesOf(metrics: object, fields: readonly string[]): unknown[] {
  return fields.map((field) => (metrics as Readonly<Record<string, unknown>>)[field]);
}

export interface ReadMetrics {
  readonly runs: readonly RunMetrics[];
  /** Rows of another version, or damaged ones: they stay in the record and are left out here. */
  readonly unread: number;
}

export function readAllMetrics(bodies: readonly string[]): ReadMetrics {
  const runs = bodies.map(readRunMetrics).filter((run) => run !== null);
  return { runs, unread: bodies.length - runs.length };
}

type Row = [number, unknown[], unknown[][]?, unknown[][]?, LessonValues[]?, string[]?, unknown[][]?];
type LessonValues = [id: string, hash: string, attempt: number, match: string];
type WorkerValues = [agent: string, attempts: number];

/** Null: not a row that this version knows. */
export function readRunMetrics(body: string): RunMetrics | null {
  const row = rowOf(body);
  if (row === null) return null;
  const [, run, incidents, missions, shown, proposed = NOTHING, opinions] = row;
  const values = filled(RUN, RUN_FIELDS, run);
  const workers = values.workers as unknown as readonly WorkerValues[] | 0;
  return {
    ...values,
    workers: read(workers, ([agent, attempts]) => ({ agent, attempts })),
    incidents: read(incidents, (one) => filled(INCIDENT, INCIDENT_FIELDS, one)),
    missions: read(missions, (one) => filled(MISSION, MISSION_FIELDS, one.toSpliced(UNUSED_PLACE, 1))),
    shown: read(shown, ([id, hash, attempt, match]) => ({ id, hash, attempt, match })),
    proposed,
    opinions: read(opinions, (one) => filled(OPINION, OPINION_FIELDS, one)),
  };
}

function filled<Metrics extends object>(
  empty: Metrics,
  fields: readonly string[],
  values: unknown[],
): Metrics {
  const metrics = { ...empty } as Record<string, unknown>;
  for (let place = 0; place < values.length; place += 1) {
    const field = fields[place];
    if (field !== undefined && values[place] !== null) metrics[field] = values[place];
  }
  return metrics as Metrics;
}

function rowOf(body: string): Row | null {
  const row = jsonOrNull(body);
  if (!Array.isArray(row) || row[0] !== VERSION || !Array.isArray(row[1])) return null;
  const named = row[1].slice(0, 3).every((value) => typeof value === 'string') && row[1].length >= 3;
  const lists = row.slice(2, 5).every((list) => Array.isArray(list) && list.every(Array.isArray));
  const given = row[6] === undefined || (Array.isArray(row[6]) && row[6].every(Array.isArray));
  const last = row[5] === undefined || Array.isArray(row[5]);
  return named && lists && last && given ? (row as Row) : null;
}

function read<T, R>(values: readonly T[] | 0 | undefined, one: (value: T) => R): readonly R[] {
  return !values || values.length === 0 ? NOTHING : values.map((value) => one(value));
}
