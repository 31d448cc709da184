import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/library/diagnose.ts';

it('the values of a printed assertion error are told without the commas between its properties', () => {
  const output = [
    '✖ adds (2.1ms)',
    '  AssertionError [ERR_ASSERTION]: -1 == 5',
    '      at TestContext.<anonymous> (file:///work/add.test.js:2:27) {',
    '    generatedMessage: true,',
    "    code: 'ERR_ASSERTION',",
    '    actual: -1,',
    '    expected: 5,',
    "    operator: '=='",
    '  }',
  ].join('\n');
  expect(diagnose({ output, exitCode: 1 }).root_cause).toContain('to be 5, but it is -1 (');
});

describe('a call in a quoted line of source is no place', () => {
  const traced = (source: string): string =>
    [
      'Traceback (most recent call last):',
      '  File "jobs/run.py", line 9, in main',
      `    ${source}`,
      'ValueError: too short',
    ].join('\n');

  it.each(['f.read(10)', 'q.get(1, 2)', 'np.zeros(3)', 'if self.q.get(1):', 'return a / b.low(4)'])(
    '%s',
    (source) => {
      const { root_cause: cause } = diagnose({ output: traced(source), exitCode: 1 });
      expect(cause).toBe('ValueError: too short (jobs/run.py:9).');
    },
  );

  it('in a test that pytest shows, and in one that Jest shows', () => {
    const pytest = [
      '______ test_square ______',
      '    def test_square():',
      '>       assert geo.area(4) == 15',
      'E       assert 16 == 15',
      '',
      'test_geo.py:3: AssertionError',
      'FAILED test_geo.py::test_square - assert 16 == 15',
    ].join('\n');
    const jest = [
      'FAIL ./geo.test.js',
      '  ● area of a square',
      '    Expected: 15',
      '    Received: 16',
      '    > 5 |   expect(geo.area(4)).toBe(15);',
      '      at Object.<anonymous> (geo.test.js:5:23)',
    ].join('\n');
    expect(diagnose({ output: pytest, exitCode: 1 }).root_cause).toContain('(test_geo.py:3)');
    expect(diagnose({ output: jest, exitCode: 1 }).root_cause).toContain('geo.test.js:5');
  });

  it.each([
    ['Program.cs(12,5) : error: no such name', 'Program.cs:12'],
    ['#0 /app/calc.php(12): add()', '/app/calc.php:12'],
  ])('%s is one', (line, place) => {
    expect(
      diagnose({ output: `Uncaught TypeError: bad argument\n${line}`, exitCode: 1 }).root_cause,
    ).toContain(place);
  });
});
