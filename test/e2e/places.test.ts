import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inBox } from './box.ts';

const shell = (script: string) => ['--', 'sh', '-c', script];

interface Run {
  readonly run_id: string;
  readonly state: string;
  readonly outcome_reason: string;
  readonly next_step: string;
  readonly partial_work: { readonly delivered: boolean };
  readonly delivered: { readonly files: readonly string[] } | null;
  readonly questions: readonly {
    readonly id: string;
    readonly options: readonly { readonly id: string }[];
  }[];
}

describe('a run that is started in a subfolder', () => {
  it.each([['in a worktree'], ['in place']])('works and is checked there: %s', (where) =>
    inBox(async (box) => {
      const folder = join(box.repository, 'packages', 'a');
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'name.txt'), 'a\n');
      box.git('add', '--all');
      box.git('commit', '--quiet', '-m', 'a package');
      const args = [
        'run',
        '--json',
        ...(where === 'in place' ? ['--in-place'] : []),
        '--check=grep -q a name.txt && test -f made.txt',
        'make it',
        ...shell('cp name.txt made.txt'),
      ];
      const { exitCode, stdout } = await box.start(args, { cwd: folder }).done;
      expect(exitCode).toBe(0);
      const run = JSON.parse(stdout) as Run;
      expect(run.partial_work.delivered).toBe(true);
      if (where === 'in place') expect(readFileSync(join(folder, 'made.txt'), 'utf8')).toBe('a\n');
      else expect(run.delivered?.files).toEqual(['packages/a/made.txt']);
    }),
  );
});

describe('a second run in place', () => {
  it('is refused while the first has not ended, also when both begin at once', () =>
    inBox(async (box) => {
      const args = ['run', '--in-place', '--detach', '--check=false', 'wait', ...shell('sleep 600')];
      const both = await Promise.all([box.call(...args), box.call(...args)]);
      const said = both.map(({ stderr }) => stderr).join('\n');
      expect(new Set(both.map(({ exitCode }) => exitCode)), said).toEqual(new Set([0, 2]));
      const { run_id: run } = await box.show();
      const refused = both.find(({ exitCode }) => exitCode === 2);
      expect(refused?.stderr).toContain('FOLDER_IN_USE');
      expect(refused?.stderr).toContain(run);
      await box.call('stop', run);
      await box.call('abandon', run);
      await box.until('it has ended', async () => (await box.show()).state === 'abandoned');
      expect(await box.call(...args)).toMatchObject({ exitCode: 0 });
    }));
});

describe('what a run in place did to a folder', () => {
  it('can be undone after its end, but not while another run works there', () =>
    inBox(async (box) => {
      const kept = join(box.repository, 'README.md');
      const before = readFileSync(kept, 'utf8');
      const run = ['run', '--in-place', '--check=test -f n', 'n', ...shell('touch n; rm README.md')];
      expect((await box.call(...run)).exitCode).toBe(0);
      const { run_id: first } = await box.show();
      await box.call('run', '--in-place', '--detach', '--check=false', 'wait', ...shell('sleep 600'));
      expect((await box.call('restore', `${first}@0`)).stderr).toContain('FOLDER_IN_USE');
      await box.call('stop', '@');
      await box.call('abandon', '@');
      await box.until('it has ended', async () => (await box.show()).state === 'abandoned');
      expect(await box.call('restore', `${first}@0`)).toMatchObject({ exitCode: 0 });
      expect(readFileSync(kept, 'utf8')).toBe(before);
    }));
});

it('a branch that the person has merged is told as merged, not as one to merge', () =>
  inBox(async (box) => {
    await box.call('run', '--check=test -f a', 'go on', ...shell('echo a > a'));
    const { run_id: run } = await box.show();
    expect((await box.call('show', run)).stdout).toContain(`git merge mayday/${run}`);
    box.git('merge', '--quiet', `mayday/${run}`);
    const { stdout } = await box.call('show', run);
    expect(stdout).toContain('merged already');
    expect(stdout).not.toContain('git merge');
  }));

describe('a file that the person has changed, too', () => {
  it.each(['README.md', 'made.txt'])('is named before the merge that git would refuse: %s', (name) =>
    inBox(async (box) => {
      writeFileSync(join(box.repository, name), 'mine\n');
      const call = (agent: string) => box.call('run', '--check=true', 'go on', ...shell(agent));
      const { stdout } = await call(`echo agent > ${name}`);
      expect(stdout).toContain(`before you merge: ${name} is changed in your checkout too`);
      expect((await call('echo agent > other.txt')).stdout).not.toContain('before you merge');
    }),
  );
});

describe('--include-dirty', () => {
  it('tells how the work is taken with the same changes still lying there', () =>
    inBox(async (box) => {
      writeFileSync(join(box.repository, 'README.md'), 'x\nmine\n');
      const agent = shell('echo "from the agent" >> README.md');
      const { stdout, exitCode } = await box.call(
        'run',
        '--include-dirty',
        '--check=grep -q agent README.md',
        'go on',
        ...agent,
      );
      expect(exitCode).toBe(0);
      expect(stdout).toContain('from main with your uncommitted changes');
      expect(stdout, 'main has not moved').not.toContain('moved on');
      const run = (await box.show()) as unknown as Run;
      expect(stdout).toContain(run.next_step);
      const advice = run.next_step.replace('mayday', `"${process.execPath}" "${box.bin}"`);
      execFileSync('sh', ['-ec', advice], {
        cwd: box.repository,
        env: { ...process.env, MAYDAY_HOME: box.home },
      });
      expect(readFileSync(join(box.repository, 'README.md'), 'utf8')).toBe('x\nmine\nfrom the agent\n');
    }));
});

describe('a change that is empty', () => {
  it('ends as delivered when a person answers that nothing has to change', () =>
    inBox(async (box) => {
      box.policy({ backoff_ms: 1, backoff_max_ms: 1 });
      const asked = await box.call('run', '--json', '--check=true', 'look', ...shell('true'));
      const { run_id: run, questions } = JSON.parse(asked.stdout) as Run;
      expect(asked.exitCode).toBe(3);
      expect((await box.call('accept', run, '--note=nothing to do')).stderr).toContain('NOTHING_TO_DELIVER');
      await box.call('answer', questions[0]?.id ?? '', 'waive_with_reason', '--note=nothing to do');
      const end = await box.until('it has ended', async () => {
        const shown = (await box.show()) as unknown as Run;
        return shown.state === 'delivered' ? shown : undefined;
      });
      expect(end.outcome_reason).toContain('nothing had to change');
    }));
});
