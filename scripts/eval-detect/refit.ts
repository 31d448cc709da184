/**
 * Leave one source out, with the whole fitting repeated: every weight of staleness, what healthy work is allowed and
 * the threshold are found anew on the other sources, from a start that knows nothing, then applied to the one.
 * The counts (`loop_stop`, cycles, undo) are not fitted: the contract fixes them.
 */
import { DEFAULT_POLICY } from '../../src/core/vocabulary/policy.ts';
import { isNoWork } from '../../src/core/detect/detectors/loops/no-novelty.ts';
import { STALENESS, staleness, type StalenessWeights } from '../../src/core/detect/staleness.ts';
import { createWatch, watchNext } from '../../src/core/detect/watch.ts';
import type { EvalRun } from '../eval-runs.ts';
import { type Alarm, type Score, score, scoreLine, worth } from './score.ts';

export interface Fit {
  readonly weights: StalenessWeights;
  readonly allowance: number;
  readonly stop: number;
}

export const DEFAULT_FIT: Fit = {
  weights: STALENESS,
  allowance: DEFAULT_POLICY.stale_allowance,
  stop: DEFAULT_POLICY.stale_stop,
};

type Likeness = keyof StalenessWeights;
const LIKENESSES = Object.keys(STALENESS).filter((name) => name !== 'fresh') as readonly Likeness[];

/** A turn: all the ways in which it was like what was before, or `null` where the past was forgiven. */
interface ReplayTurn {
  readonly step: number;
  readonly like: readonly Likeness[] | null;
}

export interface Replay {
  readonly turns: readonly ReplayTurn[];
  /** When the detectors that count spoke. */
  readonly counted: Alarm;
}

export function replayed(runs: readonly EvalRun[]): readonly Replay[] {
  return runs.map((run) => {
    let watch = createWatch({ stale_stop: Infinity });
    const turns: ReplayTurn[] = [];
    let counted: Alarm = null;
    for (const entry of run.entries) {
      const seen = watch.trail.turns.at(-1);
      const watched = watchNext(watch, entry);
      watch = watched.watch;
      const step = run.stepOf[watch.step] ?? watch.step;
      if (watched.signals.some(({ severity }) => severity === 'critical')) counted ??= step;
      const turn = watch.trail.turns.at(-1);
      if (turn === undefined) turns.push({ step, like: null });
      else if (turn !== seen && !isNoWork(turn)) turns.push({ step, like: likenesses(watch.trail) });
    }
    return { turns, counted };
  });
}

/** A pair outweighs everything else, so it ends the search; each other likeness is asked for by itself. */
function likenesses(trail: Parameters<typeof watchNext>[0]['trail']): readonly Likeness[] {
  const nothing = Object.fromEntries(Object.keys(STALENESS).map((name) => [name, 0]));
  const has = (name: Likeness) =>
    staleness(trail.turns, trail.treeStep, { ...nothing, pair: 2, [name]: name === 'pair' ? 2 : 1 } as never);
  if (has('pair') === 2) return ['pair'];
  return LIKENESSES.filter((name) => name !== 'pair' && has(name) === 1);
}

export function replayAlarm({ turns, counted }: Replay, { weights, allowance, stop }: Fit): Alarm {
  let excess = 0;
  for (const { step, like } of turns) {
    if (counted !== null && counted <= step) return counted;
    const stale = like === null ? 0 : Math.max(0, ...like.map((name) => weights[name]));
    excess = like === null ? 0 : Math.max(0, excess + stale - allowance);
    if (excess + 1e-9 >= stop) return step;
  }
  return counted;
}

/** The most that ever stood against a run, up to a step. */
export function mostExcess({ turns }: Replay, until: number): number {
  const { weights, allowance } = DEFAULT_FIT;
  let excess = 0;
  let most = 0;
  for (const { step, like } of turns) {
    if (step > until) break;
    const stale = like === null ? 0 : Math.max(0, ...like.map((name) => weights[name]));
    excess = like === null ? 0 : Math.max(0, excess + stale - allowance);
    most = Math.max(most, excess);
  }
  return most;
}

/** Everything that is like something before weighs the same. */
const IGNORANT: Fit = {
  weights: Object.fromEntries(
    Object.keys(STALENESS).map((name) => [name, name === 'fresh' ? 0 : name === 'pair' ? 1 : 0.5]),
  ) as StalenessWeights,
  allowance: 0.5,
  stop: 2,
};
const WEIGHTS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1];
const ALLOWANCES = [0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.7];
const STOPS = [1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 3];
/** A fit that holds only at one threshold is a coincidence. */
const SLACK = [0.85, 1, 1.15];
const ROUNDS = 6;

function fitOn(runs: readonly EvalRun[], replays: readonly Replay[]): Fit {
  const value = (fit: Fit) =>
    SLACK.reduce(
      (sum, slack) =>
        sum +
        worth(
          score(
            runs,
            replays.map((replay) => replayAlarm(replay, { ...fit, stop: fit.stop * slack })),
          ),
        ),
      0,
    );
  let best = IGNORANT;
  let bestValue = value(best);
  const tryFit = (fit: Fit) => {
    const worthwhile = value(fit);
    if (worthwhile > bestValue) [best, bestValue] = [fit, worthwhile];
  };
  for (let round = 0; round < ROUNDS; round++) {
    const before = bestValue;
    for (const stop of STOPS) for (const allowance of ALLOWANCES) tryFit({ ...best, stop, allowance });
    for (const name of LIKENESSES)
      for (const weight of WEIGHTS) tryFit({ ...best, weights: { ...best.weights, [name]: weight } });
    if (bestValue === before) break;
  }
  return best;
}

export function refitReport(runs: readonly EvalRun[], sources: readonly string[]): Score {
  console.log('each source by values that were fitted without it, from a start that knows nothing');
  const replays = replayed(runs);
  const total: { runs: EvalRun[]; alarms: Alarm[] } = { runs: [], alarms: [] };
  for (const source of sources) {
    const outside = runs.flatMap((run, index) => (run.source === source ? [] : [index]));
    const inside = runs.flatMap((run, index) => (run.source === source ? [index] : []));
    const fit = fitOn(
      outside.map((index) => runs[index] as EvalRun),
      outside.map((index) => replays[index] as Replay),
    );
    const alarms = inside.map((index) => replayAlarm(replays[index] as Replay, fit));
    const left = inside.map((index) => runs[index] as EvalRun);
    total.runs.push(...left);
    total.alarms.push(...alarms);
    console.log(`  ${scoreLine(`${source} @ ${fit.stop} - ${fit.allowance}`, score(left, alarms))}`);
  }
  const together = score(total.runs, total.alarms);
  console.log(`  ${scoreLine('together', together)}`);
  const all = fitOn(runs, replays);
  console.log(
    `  ${scoreLine(
      `(on all @ ${all.stop})`,
      score(
        runs,
        replays.map((replay) => replayAlarm(replay, all)),
      ),
    )}`,
  );
  return together;
}
