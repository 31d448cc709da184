/** `countTests`: reads from the output of a check how many tests ran, by the runner's own summary line; null for an unknown runner. */
import { oneOf } from '../text/one-of.ts';
import type { TestCounts } from '../vocabulary/work.ts';

/** Runners print their summary at the end of the output. */
const MAX_LINES = 400;
const MAX_LINE = 300;

type Reader = (line: string) => TestCounts | null;

/** Summaries that count what passed and what failed. */
const SUMMARIES = oneOf(
  // jest: "Tests:       1 failed, 2 skipped, 4 passed, 7 total"
  /^\s*Tests:\s.*\d+ total/,
  // pytest: "==== 1 failed, 2 passed in 0.12s ===="
  /^=+ .*\b(?:passed|failed|error|errors)\b.* in [\d.]+s/,
  // cargo: "test result: ok. 5 passed; 0 failed; 0 ignored"
  /^test result: /,
);

const READERS: readonly Reader[] = [
  // vitest: "Tests  2 failed | 210 passed | 1 skipped (213)"
  (line) => {
    const [, told = '', total] = /^\s*Tests\s{2,}(.*)\((\d+)\)\s*$/.exec(line) ?? [];
    const ran = Number(total) - number(told, 'skipped') - number(told, 'todo');
    return total === undefined ? null : { total: ran, failed: number(told, 'failed') };
  },
  (line) => {
    const failed = number(line, 'failed');
    return SUMMARIES.test(line) ? { total: number(line, 'passed') + failed, failed } : null;
  },
  // unittest: "Ran 12 tests in 0.004s"
  (line) => {
    const total = /^Ran (\d+) tests? in /.exec(line)?.[1];
    return total === undefined ? null : { total: Number(total), failed: 0 };
  },
  // JUnit, Maven: "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0"
  (line) => {
    const found = /Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)/.exec(line);
    const [run = 0, failures = 0, errors = 0, skipped = 0] = (found ?? []).slice(1).map(Number);
    return found === null ? null : { total: run - skipped, failed: failures + errors };
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
  const found = lines.flatMap(
    (line) => READERS.map((read) => read(line)).find((seen) => seen !== null) ?? [],
  );
  if (found.length > 0) return sum(found);
  const parts = lines.flatMap((line) =>
    PARTS.flatMap(([pattern, kind]) => {
      const value = Number(pattern.exec(line)?.[1]);
      return Number.isNaN(value) ? [] : [{ total: value, failed: kind === 'failed' ? value : 0 }];
    }),
  );
  return parts.length > 0 ? sum(parts) : null;
}

function sum(all: readonly TestCounts[]): TestCounts {
  return all.reduce((a, b) => ({ total: a.total + b.total, failed: a.failed + b.failed }));
}

function number(line: string, word: string): number {
  return Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0);
}
