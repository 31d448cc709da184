/** `countTests`: reads from the output of a check how many tests ran, by the runner's own summary line; null for an unknown runner. */
import type { TestCounts } from '../vocabulary/work.ts';

/** Runners print their summary at the end of the output. */
const MAX_LINES = 400;
const MAX_LINE = 300;

type Reader = (line: string) => TestCounts | null;

const READERS: readonly Reader[] = [
  // vitest: "Tests  2 failed | 210 passed | 1 skipped (213)"
  (line) => {
    const found = /^\s*Tests\s{2,}(.*)\((\d+)\)\s*$/.exec(line);
    return found === null
      ? null
      : counts(
          Number(found[2]) - number(found[1] ?? '', 'skipped') - number(found[1] ?? '', 'todo'),
          number(found[1] ?? '', 'failed'),
        );
  },
  // jest: "Tests:       1 failed, 2 skipped, 4 passed, 7 total"
  (line) =>
    /^\s*Tests:\s.*\d+ total/.test(line)
      ? counts(number(line, 'passed') + number(line, 'failed'), number(line, 'failed'))
      : null,
  // pytest: "==== 1 failed, 2 passed in 0.12s ===="
  (line) =>
    /^=+ .*\b(?:passed|failed|error|errors)\b.* in [\d.]+s/.test(line)
      ? counts(number(line, 'passed') + number(line, 'failed'), number(line, 'failed'))
      : null,
  // cargo: "test result: ok. 5 passed; 0 failed; 0 ignored"
  (line) =>
    line.startsWith('test result: ')
      ? counts(number(line, 'passed') + number(line, 'failed'), number(line, 'failed'))
      : null,
  // unittest: "Ran 12 tests in 0.004s"
  (line) => {
    const found = /^Ran (\d+) tests? in /.exec(line);
    return found === null ? null : counts(Number(found[1]), 0);
  },
  // JUnit, Maven: "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0"
  (line) => {
    const found = /Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)/.exec(line);
    return found === null
      ? null
      : counts(Number(found[1]) - Number(found[4]), Number(found[2]) + Number(found[3]));
  },
];

/** Lines that count one part each: node's own runner, mocha, TAP. */
const PARTS: readonly (readonly [RegExp, 'passed' | 'failed'])[] = [
  [/^[#ℹ] pass (\d+)\s*$/, 'passed'],
  [/^[#ℹ] fail (\d+)\s*$/, 'failed'],
  [/^\s+(\d+) passing\b/, 'passed'],
  [/^\s+(\d+) failing\b/, 'failed'],
];

export function countTests(output: string): TestCounts | null {
  const lines = output
    .split('\n')
    .slice(-MAX_LINES)
    // A runner that takes its output for a terminal writes colour codes.
    // oxlint-disable-next-line no-control-regex
    .map((line) => line.slice(0, MAX_LINE).replaceAll(/\u001b\[[\d;]*m/g, ''));
  const found = lines.flatMap((line) => {
    for (const read of READERS) {
      const seen = read(line);
      if (seen !== null) return [seen];
    }
    return [];
  });
  if (found.length > 0) return sum(found);
  const parts = lines.flatMap((line) =>
    PARTS.flatMap(([pattern, kind]) => {
      const value = Number(pattern.exec(line)?.[1]);
      return Number.isNaN(value) ? [] : [counts(value, kind === 'failed' ? value : 0)];
    }),
  );
  return parts.length > 0 ? sum(parts) : null;
}

function sum(all: readonly TestCounts[]): TestCounts {
  return all.reduce((a, b) => counts(a.total + b.total, a.failed + b.failed));
}

function counts(total: number, failed: number): TestCounts {
  return { total, failed };
}

function number(line: string, word: string): number {
  return Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
}
