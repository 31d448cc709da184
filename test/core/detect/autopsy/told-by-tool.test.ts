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
const read = (path: string, text: string): Part => ({
  call: JSON.stringify({ file_path: path }),
  tool: 'Read',
  result: text,
});

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

describe('what a program explains beside its error', () => {
  const red = failedCall(
    'stone build',
    'error: the plan has no shape\n  = note: perhaps two different versions of `hopper` are loaded\nstone: 1 error',
  );
  const runs = times(7, (n) => [change(n), red]);
  test('is the cause, with the lines of the record that set what it names', () => {
    const { cause, next } = told([
      call('cat mill.toml feed.toml', 'hopper = "2.1"\nwheel = "1.0"\nhopper = "1.9"'),
      ...runs,
    ]);
    expect(cause).toContain('The program also says: perhaps two different versions of `hopper` are loaded');
    expect(next).toContain('`hopper = "2.1"` and `hopper = "1.9"`');
  });
  test('is not the cause where it is said when all is well, too', () => {
    const green = call('stone lint', '  = note: perhaps two different versions of `hopper` are loaded\nok');
    expect(told([green, ...runs]).cause).not.toContain('says why');
  });
  test('is quoted with its numbers, not the line before it in the same list', () => {
    const { cause, next } = told([
      read('grain.json', '     1→{\n     2→  "floor": { "rye": "3.2.1" }\n     3→}'),
      ...times(7, (n) => [
        change(n),
        failedCall(
          'grain add oats',
          [
            'Could not plan.',
            '  - oats 4 -> fits 4.0, 4.1',
            '  - oats 4.1 require rye 5 -> rye (3.2.1; overridden by grain.floor, actual: 5.1.0) does not satisfy that',
          ].join('\n'),
        ),
      ]),
    ]);
    expect(cause).toContain('overridden by grain.floor');
    expect(next).toContain('grain.json, line 2');
  });
});

describe('the ways out that a program lists', () => {
  const red = failedCall(
    'sluice open',
    'SluiceError: gate has no owner\nUse one of these ways:\n\n* claim the gate with a warden\n* open it in common mode\n',
  );
  test('are offered, the ones that were not tried first', () => {
    const { next } = told([
      red,
      call('sluice claim gate --warden me', 'claimed'),
      ...times(7, (n) => [change(n), red]),
    ]);
    expect(next).toContain('not tried yet: open it in common mode');
    expect(next).toContain(
      'Tried already, without success: claim the gate with a warden (`sluice claim gate --warden me`)',
    );
  });
  test('are not the tests that failed', () => {
    const list = failedCall(
      'sluice test',
      'The following tests failed:\n\n* opens wide\n* closes tight\n2 failed',
    );
    expect(told(times(7, (n) => [change(n), list])).next).not.toContain('ways out');
  });
  test('may be two in one sentence', () => {
    const either = failedCall(
      'sluice migrate',
      'plan mismatch for step 3\nEither take back the change of the step, or sign it anew.',
    );
    const { next, found } = told(times(7, (n) => [change(n, 'steps/3.sql'), either]));
    expect(next).toContain('not tried yet: take back the change of the step; or sign it anew');
    expect(found.isMendable).toBe(true);
  });
});

describe('a state that a look shows', () => {
  const look = (state: string, n: number) =>
    call(
      `sleep ${60 + n}; kubectl get pods`,
      `NAME   READY   STATUS   AGE\nmill-7f9c-${n}x   0/1     ${state}   9s`,
    );
  const deploy = (n: number) => call('helm upgrade mill .', `LAST DEPLOYED: ${'abcde'[n]}\nSTATUS: deployed`);
  const rounds = (state: (n: number) => string) =>
    times(5, (n) => [edit('values.yaml', `delay: ${n}`, `delay: ${n + 1}`), deploy(n), look(state(n), n)]);
  const why = call(
    'kubectl describe pod mill',
    'Last State: Terminated\n  Reason:  OOMKilled\n  Exit Code:  137',
  );
  test('and that stays bad after each change is a failing check, told with what another look told', () => {
    const { cause, found } = told([why, ...rounds(() => 'CrashLoopBackOff')]);
    expect(found.state).toBe('stuck');
    expect(cause).toContain('mill: CrashLoopBackOff after each change, 5 times');
    expect(cause).toContain('`kubectl describe pod mill` (call 1) had said: OOMKilled');
  });
  test('and that gets well is none', () => {
    const { found } = told(rounds((n) => (n < 4 ? 'CrashLoopBackOff' : 'Running')));
    expect(found.state).not.toBe('stuck');
  });
  test('and that is only waited for is none', () => {
    const { found } = told(times(5, (n) => [look('ContainerCreating', n)]));
    expect(found.turns.some(({ failed }) => failed)).toBe(false);
  });
});

describe('a status that fails', () => {
  const status = failedCall(
    'systemctl status mill',
    '× mill.service - Mill\n   Active: failed (Result: exit-code)',
  );
  const rounds = times(7, (n) => [edit('mill.service', `Nice=${n}`, `Nice=${n + 1}`), status]);
  const log = (said: string) =>
    call(
      'journalctl -u mill -n 2',
      `May 01 09:00:00 host systemd[1]: Started mill.\nMay 01 09:00:00 host mill[77]: ${said}`,
    );
  test('is told with what the log of it complains of', () => {
    const { cause } = told([status, log('Failed to find the group millers'), ...rounds]);
    expect(cause).toContain(
      'Its log (`journalctl -u mill -n 2`, call 2) says: Failed to find the group millers',
    );
  });
  test('is told without a log that complains of nothing', () => {
    expect(told([status, log('Mill is up'), ...rounds]).cause).not.toContain('Its log');
  });
});

describe('a file that a program does not find', () => {
  const red = failedCall('pack build', 'ERROR: cannot copy "/grain/rye.bin": not found');
  const rounds = times(7, (n) => [change(n, 'Packfile'), red]);
  const ignore = call('cat .packignore', '.git\ngrain/\n');
  test('is told with the rule that keeps it back, as the record shows it', () => {
    const { cause, next, found } = told([call('ls grain', 'oats.bin  rye.bin'), ignore, ...rounds]);
    expect(cause).toContain('what may tell it: .packignore, line 2: `grain/`');
    expect(next).toContain('Look at .packignore, line 2: `grain/`');
    expect(found.class).not.toBe('missing_dependency');
  });
});

describe('the settings that a check says it reads', () => {
  const red = (used: string) =>
    failedCall(
      'pytest mill',
      `plugin: version 4.2, settings: ${used} (from ini)\nE   mill.Stuck: no wind\n1 failed`,
    );
  const runs = (used: string) => times(7, (n) => [change(n, '/w/conf/settings/test.py'), red(used)]);
  test('are told where the edits are in a file beside them', () => {
    const { cause, next } = told(runs('conf.settings.ci'));
    expect(cause).toContain(
      'the edits are in /w/conf/settings/test.py, but the output names conf.settings.ci',
    );
    expect(next).toContain('Change /w/conf/settings/ci.py');
  });
  test('are not where they are the edited ones', () => {
    expect(told(runs('conf.settings.test')).cause).not.toContain('what is read');
  });
});

describe('a thing that a push is refused for', () => {
  const refused = (path: string) =>
    failedCall(
      'git push origin mill',
      `remote: error: Trace: 88aa33ff00cc1122\nremote: error: File ${path} is 210 MB; this exceeds the limit of 50 MB`,
    );
  const [push, other] = ['data/sacks.bin', 'data/other.bin'].map(refused) as [Part, Part];
  const removal = call('git rm --cached data/sacks.bin && git commit -m "no sacks"', '1 file changed');
  test('although it was taken away is in an earlier commit', () => {
    const { cause, next, line } = told([push, removal, ...times(7, () => [push])]);
    expect(line).toContain('data/sacks.bin');
    expect(cause).toContain('it is still in an earlier commit');
    expect(next).toContain('git log --oneline -- data/sacks.bin');
  });
  test('and that nobody took away is not', () => {
    expect(told([other, removal, ...times(7, () => [other])]).cause).not.toContain('earlier commit');
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
    expect(found.isMendable).toBe(true);
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
