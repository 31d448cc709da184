/** `criteria`: the success criteria (M4) as goals, judged over runs that were delivered or abandoned. */
import { COMPLEX_FILES, type RunMetrics } from '../../core/view/run-metrics.ts';
import { incidentsOf } from './incidents-of.ts';
import { isFirstTry, isRecovered } from './runs-behind.ts';

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
}

export function criteria(runs: readonly RunMetrics[], now: number): Criterion[] {
  const judged = runs.filter(({ state }) => state === 'delivered' || state === 'abandoned');
  const incidents = incidentsOf(runs).filter(({ diagnosed }) => diagnosed !== null);
  const orphans = runs.filter(
    ({ ended, released }) => ended !== null && !released && now - ended > ORPHAN_AFTER_MS,
  ).length;
  const share = (
    id: string,
    name: string,
    target: string,
    of: readonly unknown[],
    good: number,
    enough: (share: number) => boolean,
  ): Criterion => {
    if (of.length === 0) return { id, name, target, actual: null, n: 0, state: 'no data' };
    const actual = good / of.length;
    return { id, name, target, actual, n: of.length, state: enough(actual) ? 'met' : 'missed' };
  };
  const simple = judged.filter(({ size }) => size === 'simple');
  const complex = judged.filter(({ size }) => size === 'complex');
  const rescued = judged.filter((run) => run.incidents.length > 0);
  const attributed = incidents.filter(
    (incident) => incident.class !== 'unknown' && incident.category !== null && incident.cause !== '',
  );
  return [
    share(
      'simple_first_try',
      `simple tasks (fewer than ${COMPLEX_FILES} files) first try`,
      '95 %',
      simple,
      simple.filter(isFirstTry).length,
      (actual) => actual >= 0.95,
    ),
    share(
      'complex_first_try',
      `complex tasks (${COMPLEX_FILES} or more files) first try`,
      '80 %',
      complex,
      complex.filter(isFirstTry).length,
      (actual) => actual >= 0.8,
    ),
    share(
      'recovery',
      'recovery',
      'above 90 %',
      rescued,
      rescued.filter(isRecovered).length,
      (actual) => actual > 0.9,
    ),
    {
      id: 'orphans',
      name: 'no orphaned workspaces',
      target: '0',
      actual: orphans,
      n: runs.length,
      state: orphans === 0 ? 'met' : 'missed',
    },
    share(
      'attributed',
      'every failure attributed',
      '100 %',
      incidents,
      attributed.length,
      (actual) => actual === 1,
    ),
  ];
}
