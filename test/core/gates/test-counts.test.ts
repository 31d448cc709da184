import { expect, it } from 'vitest';
import { countTests } from '../../../src/core/gates/test-counts.ts';

it.each([
  ['vitest', ' Test Files  3 passed (3)\n      Tests  2 failed | 208 passed | 1 skipped (211)\n', 210, 2],
  [
    'vitest in colour',
    '\u001b[2m      Tests \u001b[22m \u001b[1m\u001b[32m9 passed\u001b[39m\u001b[22m\u001b[90m (9)\u001b[39m',
    9,
    0,
  ],
  ['vitest with plans', '      Tests  1 failed | 3 passed | 2 skipped | 4 todo (10)  \n', 4, 1],
  ['unittest with one', 'Ran 1 test in 0.004s\n', 1, 0],
  ['maven in tens', '[INFO] Tests run: 50, Failures: 11, Errors: 12, Skipped: 13\n', 37, 23],
  ['jest', 'Tests:       1 failed, 2 skipped, 4 passed, 7 total\n', 5, 1],
  ['jest, indented', '  Tests: 1 failed, 4 passed, 5 total\n', 5, 1],
  ['pytest', '========== 1 failed, 12 passed, 3 skipped in 0.12s ==========\n', 13, 1],
  [
    'cargo, several crates',
    'test result: ok. 5 passed; 0 failed; 0 ignored\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n',
    8,
    2,
  ],
  ['unittest', 'Ran 12 tests in 0.004s\n\nOK\n', 12, 0],
  ['maven', 'Tests run: 5, Failures: 1, Errors: 0, Skipped: 1\n', 4, 1],
  ['node', '# tests 7\n# pass 6\n# fail 1\n', 7, 1],
  ['mocha', '\n  14 passing (20ms)\n  1 failing\n', 15, 1],
])('%s says how many tests ran', (_, output, total, failed) => {
  expect(countTests(output)).toEqual({ total, failed });
});

it('a program that counts no tests is silent about them', () => {
  expect(countTests('all fine\n5 files\n')).toBeNull();
  expect(countTests('')).toBeNull();
});

it('words that only look like a summary count nothing', () => {
  expect(countTests('see Tests  3 passed (3)')).toBeNull();
  expect(countTests('Tests 3 passed (3)')).toBeNull();
  expect(countTests('      Tests  3 passed (3) of many')).toBeNull();
  expect(countTests('my Tests: 4 passed, 4 total')).toBeNull();
  expect(countTests('it printed ==== 2 passed in 0.1s ====')).toBeNull();
  expect(countTests('it Ran 3 tests in 1s')).toBeNull();
});

it('only the end of the output is read, and of each line its beginning', () => {
  const summary = 'Ran 12 tests in 0.004s';
  expect(countTests(`${summary}${'\nx'.repeat(400)}`)).toBeNull();
  expect(countTests(`${summary}${'\nx'.repeat(399)}`)).toEqual({ total: 12, failed: 0 });
  expect(countTests(`Tests:  ${' '.repeat(300)}4 passed, 4 total`)).toBeNull();
});
