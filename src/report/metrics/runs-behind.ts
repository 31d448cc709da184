/** `FIGURES_OF_RUNS`, `runsBehind`: the runs that a figure of the report counts: `first_try`, or `class:looping` for a row. */
import type { IncidentMetrics, RunMetrics } from '../../core/view/run-metrics.ts';
import { reasonOf } from './reasons.ts';

/** Delivered without an incident, and proven. */
export function isFirstTry({ state, incidents, byWord }: RunMetrics): boolean {
  return state === 'delivered' && incidents.length === 0 && !byWord;
}

/** Delivered after an incident, and proven: a delivery by a person's word alone is no rescue. */
export function isRecovered({ state, incidents, byWord }: RunMetrics): boolean {
  return state === 'delivered' && incidents.length > 0 && !byWord;
}

/** Its class is known, and so are its cause and the kind of that cause. */
export function isAttributed({ class: name, category, cause }: IncidentMetrics): boolean {
  return name !== 'unknown' && category !== null && category !== 'unknown' && cause !== '';
}

export const FIGURES_OF_RUNS = {
  all: () => true,
  first_try: isFirstTry,
  required_recovery: ({ incidents }) => incidents.length > 0,
  recovered: isRecovered,
  failed_after_recovery: ({ incidents, state }) => incidents.length > 0 && state === 'abandoned',
  open: ({ ended }) => ended === null,
  unverified: ({ state }) => state === 'unverified',
  by_word: ({ state, byWord }) => state === 'delivered' && byWord,
  nudged: ({ nudged }) => nudged > 0,
  not_attributed: ({ incidents }) => incidents.some((one) => one.diagnosed !== null && !isAttributed(one)),
  missions: ({ missions }) => missions.length > 0,
} satisfies Readonly<Record<string, (run: RunMetrics) => boolean>>;

/** Rows of tables: the kind of row, and which runs belong to a row of that name. */
const ROWS: Readonly<Record<string, (run: RunMetrics, name: string) => boolean>> = {
  reason: ({ incidents }, name) => incidents.some((incident) => reasonOf(incident.class) === name),
  class: ({ incidents }, name) => incidents.some((incident) => incident.class === name),
  category: ({ incidents }, name) => incidents.some(({ category }) => (category ?? NO_CATEGORY) === name),
  agent: ({ workers, agent }, name) =>
    workers.length === 0 ? agent === name : workers.some((worker) => worker.agent === name),
  model: ({ model }, name) => (model ?? NO_MODEL) === name,
  repository: ({ repository }, name) => repository === name,
};

export const NO_CATEGORY = '(none)';
export const NO_MODEL = '(not told)';

/** Null: there is no such figure. */
export function runsBehind(runs: readonly RunMetrics[], figure: string): readonly RunMetrics[] | null {
  const [kind = '', ...rest] = figure.split(':');
  const row = Object.hasOwn(ROWS, kind) ? ROWS[kind] : undefined;
  if (row !== undefined) return runs.filter((run) => row(run, rest.join(':')));
  const all: Readonly<Record<string, (run: RunMetrics) => boolean>> = FIGURES_OF_RUNS;
  const test = Object.hasOwn(all, figure) ? all[figure] : undefined;
  return test === undefined ? null : runs.filter(test);
}
