/**
 * `writeRunMetrics`, `readRunMetrics`: the stored form of metrics. Fields stand by position, because a hundred thousand rows with field
 * names take three times as long to read. The order never changes; new fields go to the end of their list, and rows without them get a
 * default. Reading sets every field: objects of one shape make a report over all runs fast.
 */
import type { IncidentMetrics, MissionMetrics, RunMetrics } from './run-metrics.ts';
import { jsonOrNull } from '../text/json.ts';

const VERSION = 1;
/** Up to `released`. */
const ALWAYS_WRITTEN = 17;
/** `incidents` and all after it stand in lists of their own. */
const LISTS = 4;
/** This place of a mission once held a number of changed specifications, which nothing reads any more. */
const UNUSED_PLACE = 7;

type Text = string | null;
type Time = number | null;

export function writeRunMetrics(run: RunMetrics): string {
  const lists = [
    run.incidents.map((incident) => valuesOf(incident, INCIDENT_FIELDS)),
    run.missions.map((mission) => valuesOf(mission, MISSION_FIELDS).toSpliced(UNUSED_PLACE, 0, 0)),
    run.shown.map((lesson) => [lesson.id, lesson.hash, lesson.attempt, lesson.match]),
    run.proposed,
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

type Row = [number, RunValues, IncidentValues[]?, MissionValues[]?, LessonValues[]?, string[]?];

export interface ReadMetrics {
  readonly runs: readonly RunMetrics[];
  /** Rows of another version, or damaged ones: they stay in the record and are left out here. */
  readonly unread: number;
}

export function readAllMetrics(bodies: readonly string[]): ReadMetrics {
  const runs = bodies.map(readRunMetrics).filter((run) => run !== null);
  return { runs, unread: bodies.length - runs.length };
}

/** Null: not a row that this version knows. */
export function readRunMetrics(body: string): RunMetrics | null {
  const row = rowOf(body);
  return row === null ? null : metricsOf(row);
}

function metricsOf([, run, incidents, missions, shown, proposed]: Row): RunMetrics {
  return {
    id: run[0],
    title: run[1],
    agent: run[2],
    model: run[3] ?? null,
    repository: run[4] ?? '',
    created: run[5] ?? 0,
    ended: run[6] ?? null,
    state: run[7] ?? 'unverified',
    size: run[8] ?? null,
    files: run[9] ?? 0,
    attempts: run[10] ?? 0,
    tokens: run[11] ?? 0,
    cost: run[12] ?? 0,
    stuckTokens: run[13] ?? 0,
    stuckCost: run[14] ?? 0,
    result: run[15] ?? null,
    released: run[16] ?? true,
    byWord: run[17] ?? false,
    workers: read(run[18] === 0 ? undefined : run[18], ([agent, attempts]) => ({ agent, attempts })),
    nudged: run[19] ?? 0,
    recoveredAfterNudge: run[20] ?? 0,
    recoveredAfterWarning: run[21] ?? 0,
    incidents: read(incidents, readIncident),
    missions: read(missions, readMission),
    shown: read(shown, ([id, hash, attempt, match]) => ({ id, hash, attempt, match })),
    proposed: proposed ?? NOTHING,
  };
}

function rowOf(body: string): Row | null {
  const row = jsonOrNull(body);
  if (!Array.isArray(row) || row[0] !== VERSION || !Array.isArray(row[1])) return null;
  const named = row[1].slice(0, 3).every((value) => typeof value === 'string') && row[1].length >= 3;
  const lists = row.slice(2, 5).every((list) => Array.isArray(list) && list.every(Array.isArray));
  const last = row[5] === undefined || Array.isArray(row[5]);
  return named && lists && last ? (row as Row) : null;
}

/** One shared empty list: a hundred thousand runs would otherwise make four hundred thousand. */
const NOTHING: readonly never[] = [];

function read<T, R>(values: readonly T[] | undefined, one: (value: T) => R): readonly R[] {
  return values === undefined || values.length === 0 ? NOTHING : values.map((value) => one(value));
}

type RunValues = [
  ...[id: string, title: string, agent: string, model?: Text, repository?: string, created?: number],
  ...[ended?: Time, state?: string, size?: RunMetrics['size'], files?: number, attempts?: number],
  ...[tokens?: number, cost?: number, stuckTokens?: number, stuckCost?: number, result?: Text],
  ...[released?: boolean, byWord?: boolean, workers?: WorkerValues[] | 0],
  ...[nudged?: number, recoveredAfterNudge?: number, recoveredAfterWarning?: number],
];

type WorkerValues = [agent: string, attempts: number];

type IncidentValues = [
  ...[id: string, kind: string, category?: Text, fingerprint?: Text, agent?: string, attempt?: number],
  ...[began?: number, detected?: number, diagnosed?: Time, decided?: Time, resumed?: Time, verified?: Time],
  ...[phase?: Time, strategy?: Text, outcome?: Text, cause?: string, end?: Text, hypotheses?: number],
  ...[asked?: boolean, again?: number],
];

function readIncident(values: IncidentValues): IncidentMetrics {
  return {
    id: values[0],
    class: values[1],
    category: values[2] ?? null,
    fingerprint: values[3] ?? null,
    agent: values[4] ?? '',
    attempt: values[5] ?? 0,
    began: values[6] ?? 0,
    detected: values[7] ?? 0,
    diagnosed: values[8] ?? null,
    decided: values[9] ?? null,
    resumed: values[10] ?? null,
    verified: values[11] ?? null,
    phase: values[12] ?? null,
    strategy: values[13] ?? null,
    outcome: values[14] ?? null,
    cause: values[15] ?? '',
    end: values[16] ?? null,
    hypotheses: values[17] ?? 0,
    asked: values[18] ?? false,
    again: values[19] ?? 0,
  };
}

type MissionValues = [
  ...[id: string, incident?: Text, owner?: string, category?: Text, detected?: number, resumed?: Time],
  ...[outcome?: Text, unused?: number, updates?: number, enriched?: boolean, due?: Time],
];

function readMission(values: MissionValues): MissionMetrics {
  return {
    id: values[0],
    incident: values[1] ?? null,
    owner: values[2] ?? '',
    category: values[3] ?? null,
    detected: values[4] ?? 0,
    resumed: values[5] ?? null,
    outcome: values[6] ?? null,
    updates: values[8] ?? 0,
    enriched: values[9] ?? false,
    due: values[10] ?? null,
  };
}

type LessonValues = [id: string, hash: string, attempt: number, match: string];

/** A reader names the fields in the order of their places: a row is written in the same order. */
const RUN_FIELDS = Object.keys(metricsOf([VERSION, ['', '', '']])).slice(0, -LISTS);
const INCIDENT_FIELDS = Object.keys(readIncident(['', '']));
const MISSION_FIELDS = Object.keys(readMission(['']));
