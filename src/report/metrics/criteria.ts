/** `criteria`: the success criteria (M4) as goals: tries and recovery over runs that were delivered or abandoned, the others over all. */
import { COMPLEX_FILES, type RunMetrics } from '../../core/view/run-metrics.ts';
import { incidentsOf } from './incidents-of.ts';
import { isAttributed, isFirstTry, isRecovered } from './runs-behind.ts';

/** A workspace is deleted within seconds; one that is left after this time is an orphan. */
const ORPHAN_AFTER_MS = 10 * 60 * 1000;

export interface Criterion {
  readonly id: string;
  readonly name: string;
  readonly target: string;
  /** A share, or a number for orphans; null without data. */
  readonly actual: number | null;
  readonly n: number;
  readonly state: 'met' | 'missed' | 'no data';
  /** The classes of the failures that are not attributed, each once. */
  readonly lacking?: readonly string[];
}

export function criteria(runs: readonly RunMetrics[], now: number): Criterion[] {
  const judged = runs.filter(({ state }) => state === 'delivered' || state === 'abandoned');
  const incidents = incidentsOf(runs).filter(({ diagnosed }) => diagnosed !== null);
  const orphans = runs.filter(
    ({ ended, released }) => ended !== null && !released && now - ended > ORPHAN_AFTER_MS,
  ).length;
  const simple = judged.filter(({ size }) => size === 'simple');
  const complex = judged.filter(({ size }) => size === 'complex');
  const rescued = judged.filter((run) => run.incidents.length > 0);
  const [few, many] = [`fewer than ${COMPLEX_FILES}`, `${COMPLEX_FILES} or more`];
  return [
    share(['simple_first_try', `simple tasks (${few} files) first try`, '95 %'], simple, isFirstTry, 0.95),
    share(['complex_first_try', `complex tasks (${many} files) first try`, '80 %'], complex, isFirstTry, 0.8),
    share(['recovery', 'recovery', 'above 90 %'], rescued, isRecovered, ABOVE_90),
    {
      id: 'orphans',
      name: 'no orphaned workspaces',
      target: '0',
      actual: orphans,
      n: runs.length,
      state: orphans === 0 ? 'met' : 'missed',
    },
    {
      ...share(['attributed', 'every failure attributed', '100 %'], incidents, isAttributed, 1),
      lacking: [...new Set(incidents.filter((one) => !isAttributed(one)).map(({ class: name }) => name))],
    },
  ];
}

/** The least share that is above 90 %. */
const ABOVE_90 = 0.9 + Number.EPSILON;

function share<T>(
  [id, name, target]: readonly [id: string, name: string, target: string],
  of: readonly T[],
  isGood: (one: T) => boolean,
  least: number,
): Criterion {
  if (of.length === 0) return { id, name, target, actual: null, n: 0, state: 'no data' };
  const actual = of.filter(isGood).length / of.length;
  return { id, name, target, actual, n: of.length, state: actual >= least ? 'met' : 'missed' };
}
