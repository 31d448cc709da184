import { expect, it } from 'vitest';
import { inBox } from './box.ts';

it.each([
  [['show', 'nobody', '--json'], 'UNKNOWN_RUN', 2],
  [['ps', '--jsno', '--json'], 'WRONG_OPTION', 2],
  [['isnpect', '--json'], 'UNKNOWN_COMMAND', 2],
  [['autopsy', '--json'], 'NO_SESSIONS', 1],
])('%j prints one problem document on stdout, and the words on stderr', (args, code, exit) =>
  inBox(async (box) => {
    const { exitCode, stdout, stderr } = await box.start(args, { env: { HOME: box.folder } }).done;
    expect({ exitCode, told: stderr.includes(`(${code})`) }).toEqual({ exitCode: exit, told: true });
    const document = JSON.parse(stdout) as { do: string[] };
    expect(document).toMatchObject({ code, exit_code: exit, title: expect.any(String) as string });
    expect(document.do.length).toBeGreaterThan(0);
  }),
);

it('a --json of the agent is not ours, and a name that is taken is wrong usage', () =>
  inBox(async (box) => {
    expect(await box.call('run', '--sink', 'nowhere', 'x', '--', 'true', '--json')).toMatchObject({
      exitCode: 2,
      stdout: '',
    });
    const work = ['run', '--name', 'mine', '--check', 'test -f a', 'x', '--', 'touch', 'a'];
    expect(await box.call(...work)).toMatchObject({ exitCode: 0 });
    expect(await box.call(...work)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('RUN_EXISTS') as string,
    });
  }));
