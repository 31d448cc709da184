import { expect, it } from 'vitest';
import { inBox } from './box.ts';

it('a run has the name that a person gave it, and @ is the last run', () =>
  inBox(async (box) => {
    const work = ['--check', 'test -f a.txt', '--', 'sh', '-c', 'echo one; echo two; echo x > a.txt'];
    expect(await box.call('run', '--name', 'first-try', ...work)).toMatchObject({ exitCode: 0 });
    expect(box.git('branch', '--list', 'mayday/first-try')).toContain('mayday/first-try');

    const taken = await box.call('run', '--name', 'first-try', ...work);
    expect(taken).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('RUN_EXISTS') as string });
    const bad = await box.call('run', '--name', '../x', ...work);
    expect(bad).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('BAD_RUN_NAME') as string });

    const status = await box.call('status', '@');
    expect(status.stdout).toMatch(/^first-try delivered: /);
    expect(status.stdout).toMatch(/two\n$/);
    expect((await box.call('logs', '@', '--tail', '1')).stdout).toMatch(/^\S+ {2}1 {2}two\n$/);
    expect((await box.call('logs', '-f', 'first')).stdout.split('\n')).toHaveLength(3);

    expect((await box.call('ls', '--here', '--state', 'delivered')).stdout).toContain('first-try');
    expect((await box.call('ps', '--state', 'working')).stdout).toBe('no run is working: mayday ps\n');
    expect((await box.start(['ps', '--here'], { cwd: box.folder }).done).stdout).not.toContain('first-try');
  }));

it('a mistyped name proposes nothing that stops a run or takes something away', () =>
  inBox(async (box) => {
    const { stderr } = await box.call('stpo', 'x');
    expect(stderr).toContain('mayday status');
    expect(stderr).not.toContain('mayday stop');
    expect((await box.call('kill', 'nobody')).stderr).toContain('UNKNOWN_RUN');
  }));
