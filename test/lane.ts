/**
 * `sampled`: a few of many cases for `npm test`, from a seed that is printed; all of them for `npm run test:all`. `changedSinceMain`,
 * `concerns`: the files that differ from the main branch, and whether a test file is about one of them.
 */
import { spawnSync } from 'node:child_process';
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

/** Committed or not; none where there is no main branch to compare with. */
export function changedSinceMain(root: string): readonly string[] {
  const git = (...args: string[]) => {
    const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
    return status === 0 ? stdout.split('\n').filter((line) => line !== '') : [];
  };
  const [base] = [...git('merge-base', 'HEAD', 'origin/main'), ...git('merge-base', 'HEAD', 'main')];
  if (base === undefined) return [];
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** `test/act/deliver/a.test.ts` is about itself and about what lies in `src/act/deliver`. */
export function concerns(file: string, changed: readonly string[]): boolean {
  const folder = file.replace(/^test\//, 'src/').replace(/[^/]+$/, '');
  return changed.some((path) => path === file || path.replace(/[^/]+$/, '') === folder);
}
