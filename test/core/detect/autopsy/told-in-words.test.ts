/** What the failing program itself says, and what the record shows of it, is the story; an echo, a number or a keyword is not. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { checkTold } from '../../../../src/report/autopsy/check-told.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'Let the mill grind again.', role: 'person' };
const times = (count: number, part: (index: number) => readonly Part[]): readonly Part[] =>
  Array.from({ length: count }, (_, index) => part(index)).flat();
const change = (index: number, path = 'src/mill.c') => edit(path, `n = ${index}`, `n = ${index + 1}`);

function told(parts: readonly Part[]) {
  const entries = transcript([task, ...parts]);
  const found = autopsy('x', entries, diagnose);
  const line = found.repeats?.turn.errorLine ?? '';
  return { cause: found.rootCause ?? '', next: found.next.startHere ?? '', line, found, entries };
}

describe('the command lines that a build shows', () => {
  const linked = (flags: string, symbol: string) =>
    failedCall(
      'make mill',
      [
        `cc -o mill main.o ${flags}`,
        `/usr/bin/ld: main.o: in function \`grind(long, long, long, long, long, long, long, long, long, long, long, long)':`,
        `main.c:(.text+0x9): undefined reference to \`${symbol}(int)'`,
        'make: *** [Makefile:4: mill] Error 1',
      ].join('\n'),
    );
  const flags = ['-lm', '-lm -lc', '-static -lm', '-Wl,-z -lm', '-L. -lm', '-O0 -lm', '-O1 -lm', '-g -lm'];
  test('do not hide that the failure is the same, and do not name it', () => {
    const { line, found } = told(
      flags.flatMap((flag, n) => [change(n, 'Makefile'), linked(flag, 'turn_stone')]),
    );
    expect(found.state).toBe('stuck');
    expect(line).toContain('undefined reference to `turn_stone(int)');
  });
  test('do not make different failures one', () => {
    const names = ['sieve', 'hopper', 'wheel', 'flour', 'sack', 'beam', 'axle', 'gate'];
    const { found } = told(
      names.flatMap((name, n) => [change(n, 'Makefile'), linked('-lm', `turn_${name}`)]),
    );
    expect(found.repeats?.kind).not.toBe('error');
  });
});

describe('an assertion that two tests share', () => {
  const red = (name: string) =>
    failedCall(
      'dotnet test',
      `  Failed Mill.Tests.${name} [9 ms]\n  Error Message:\n   Assert.Equal() Failure: Values differ\nFailed:     1`,
    );
  test('tells them apart when they take turns', () => {
    const { cause, next } = told(
      times(4, (n) => [red('RoundsUp'), change(n), red('RoundsEven'), change(n + 9)]),
    );
    expect(cause).toContain('two failures take turns, 4 and 4 times');
    expect(cause).toContain('Mill.Tests.RoundsUp');
    expect(cause).toContain('Mill.Tests.RoundsEven');
    expect(next).toContain('Both go through src/mill.c');
  });
  test('is one failure when one test has it', () => {
    const { cause, found } = told(times(8, (n) => [red('RoundsUp'), change(n)]));
    expect(cause).not.toContain('take turns');
    expect(found.repeats?.count).toBe(8);
  });
});

describe('a module that is not found', () => {
  const red = (name: string) =>
    failedCall(
      'npm run build && npm start',
      `Error: Cannot find module '${name}'\nRequire stack:\n- /w/mill/dist/main.js\n    at load (/w/mill/dist/main.js:3:9)`,
    );
  const runs = (name: string) => times(7, (n) => [change(n, '/w/mill/tsconfig.json'), red(name)]);
  test('by an alias of the project is no package to install', () => {
    const { next, found } = told(runs('@/lib/stone'));
    expect(next).not.toContain('install');
    expect(found.mendableBy).toBeNull();
  });
  test('by the name of a package is one', () => {
    expect(told(runs('left-stone')).next).toContain('install');
  });
});

test('builds that fail are told where no test was run', () => {
  const red = failedCall('make mill', 'mill.c:3: error: no stone');
  const { found, entries } = told([change(1), red, change(2), call('ls', 'mill.c')]);
  expect(checkTold(entries, found)).toContain(
    'No test was run, as far as the record tells; `make mill` failed',
  );
});
