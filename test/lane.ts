/** `sampled`: a few of many cases for `npm test`, from a seed that is printed; all of them for `npm run test:all`. */
import { Random } from './simulation/random.ts';

/** This is `npm run test:all`: nothing is left out. */
export const PLAYS_ALL = process.env['MAYDAY_TEST_ALL'] === '1';

/** Drawn anew for each run of the suite by `vitest.config.ts`, and printed; set it to have the same sample again. */
export const SEED = Number(process.env['MAYDAY_TEST_SEED'] ?? 1);

/** In their order, so that a list reads the same in both lanes. */
export function sampled<T>(cases: readonly T[], count: number, seed = SEED): readonly T[] {
  if (PLAYS_ALL || cases.length <= count) return cases;
  const random = new Random(seed);
  const places = new Set<number>();
  while (places.size < count) places.add(random.between(0, cases.length - 1));
  return cases.filter((_, place) => places.has(place));
}
