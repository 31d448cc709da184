/** What the command line says about stop, answer, accept and abandon is what happened. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';
import { atTerminal, hasTerminal } from './terminal.ts';

const QUICK = { backoff_ms: 1, backoff_max_ms: 1, stop_soft_ms: 300, stop_term_ms: 300, restarts: 0 };
const shell = (script: string) => ['--', 'sh', '-c', script];

interface Run {
  readonly run_id: string;
  readonly state: string;
  readonly outcome_reason: string;
  readonly questions: {
    readonly id: string;
    readonly state: string;
    readonly options: { id: string; label: string }[];
  }[];
}

async function asking(box: Box, ...args: string[]): Promise<Run> {
  const { exitCode, stdout } = await box.call('run', '--json', ...args);
  expect(exitCode).toBe(3);
  return JSON.parse(stdout) as Run;
}

it('stop puts the question aside: the inbox is empty, resume asks again and exits 3', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    const { run_id: run } = await asking(box, '--scope=src/**', '--check=true', 'x', ...shell('touch b'));
    expect((await box.call('inbox')).stdout).toContain(`${run}-q1`);
    const stopped = await box.call('stop', run);
    expect(stopped).toMatchObject({ exitCode: 0 });
    expect(stopped.stdout).toContain(`mayday resume ${run}`);
    expect((await box.call('inbox')).stdout).toBe('nothing needs you\n');
    expect((await box.call('ps')).stdout).toContain('stopped: mayday resume');
    const resumed = await box.call('resume', run);
    expect(resumed.exitCode).toBe(3);
    expect(resumed.stdout).toContain(`mayday answer ${run}-q2`);
  }));

it('a run that somebody else stops lets its terminal go with 130 and the resume command', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    const { done } = box.start(['run', '--check=true', 'x', ...shell('touch a; sleep 600')]);
    await box.until('it works', () => existsSync(join(box.worktree(), 'a')));
    const { run_id: run } = await box.show();
    await box.call('stop', run);
    const { exitCode, stdout } = await done;
    expect({ exitCode, told: stdout.includes(`mayday resume ${run}`) }).toEqual({
      exitCode: 130,
      told: true,
    });
  }));

it('an answer that ends the run says so; accept of a red check needs words; a waiver is no rescue', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    const first = await asking(box, '--check=false', 'x', ...shell('touch a'));
    const answered = await box.call('answer', first.questions[0]?.id ?? '', 'abandon');
    expect(answered.stdout).not.toContain('goes on');
    const label = first.questions[0]?.options.find(({ id }) => id === 'abandon')?.label;
    expect(answered.stdout, 'words, not the code').toContain(
      `answered ${first.questions[0]?.id}: ${label}; `,
    );
    expect(answered.stdout).toMatch(/ends; its work is kept|has ended: abandoned/);

    const second = await asking(box, '--check=false', 'x', ...shell('touch a'));
    const silent = await box.call('accept', second.run_id);
    expect(silent).toMatchObject({ exitCode: 2, stdout: '' });
    expect(silent.stderr).toContain('NOTE_MISSING');
    const accepted = await box.call('accept', second.run_id, '--note=known red');
    expect(accepted.exitCode, 'delivered, not proven').toBe(5);
    expect(accepted.stdout).toContain('not proven: accepted by');

    const third = await asking(box, '--check=false', 'x', ...shell('touch a'));
    await box.call(
      'answer',
      '--follow',
      third.questions[0]?.id ?? '',
      'waive_with_reason',
      '--note=known red',
    );
    const listed = (await box.call('ps')).stdout;
    expect(listed).toContain('delivered, not proven');
    expect(listed).toContain('1 incident, 0 rescued');
    expect(listed).not.toMatch(/[1-9]\d* rescue/);
  }));

it('accept of no change is refused and says what to do', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    const { run_id: run } = await asking(box, '--check=true', 'x', ...shell('exit 1'));
    const refused = await box.call('accept', run, '--note=fine');
    expect(refused).toMatchObject({ exitCode: 2, stdout: '' });
    expect(refused.stderr).toContain('NOTHING_TO_DELIVER');
    expect((await box.show()).state).toBe('waiting');
  }));

it('abandon ends a working run for good, with its reason, and keeps its work', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    await box.call('run', '--detach', '--check=false', 'x', ...shell('echo half > half.txt; sleep 600'));
    const { run_id: run } = await box.show();
    await box.until('it works', () => existsSync(join(box.worktree(), 'half.txt')));
    const { exitCode, stdout } = await box.call('abandon', run, '--reason=not needed');
    expect({ exitCode, stdout }).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^abandoned {2}stopped for good by .*: not needed; the work is kept on mayday/,
      ),
    });
    expect(box.git('show', `mayday/${run}-wip:half.txt`)).toBe('half\n');
    expect((await box.call('abandon', run)).exitCode).toBe(2);
    expect((await box.call('diff', run)).stdout).toContain('+half');
  }));

it('rm takes an ended run from the list and gives its disk back; its story and checkpoints stay and verify', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    await box.call('run', '--detach', '--check=test -f go', 'x', ...shell('touch a; sleep 600'));
    const { run_id: run } = await box.show();
    await box.until('it works', () => existsSync(join(box.worktree(), 'a')));
    const early = await box.call('rm', run);
    expect(early).toMatchObject({ exitCode: 2, stdout: '' });
    expect(early.stderr).toContain('RUN_NOT_ENDED');
    await box.call('abandon', run);
    const gone = await box.call('rm', run);
    expect(gone.exitCode, gone.stderr).toBe(0);
    expect(existsSync(join(box.home, 'quarantine', run))).toBe(false);
    expect(box.git('worktree', 'list').trim().split('\n')).toHaveLength(1);
    expect((await box.call('ps')).stdout).toBe('no run is left in the list: mayday ps --all\n');
    expect((await box.call('ps', '--all')).stdout).toContain(run);
    expect((await box.call('diff', run)).stdout).toContain('a');
    expect((await box.call('show', run)).stdout).toContain('abandoned');
    const verified = await box.call('verify');
    expect(verified.exitCode, verified.stdout).toBe(0);
    expect((await box.call('rm', run)).exitCode).toBe(0);
  }));

it('rm leaves a worktree that is the only delivery, until a person says that it may go', () =>
  inBox(async (box) => {
    box.policy(QUICK);
    await box.call('run', '--sink=none', '--check=true', 'x', ...shell('touch a'));
    const { run_id: run } = await box.show();
    const refused = await box.call('rm', run);
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('WORK_IN_WORKTREE');
    expect(existsSync(join(box.home, 'work', run, 'a'))).toBe(true);
    expect((await box.call('rm', run, '--discard-worktree')).exitCode).toBe(0);
    expect(existsSync(join(box.home, 'work', run))).toBe(false);
    expect((await box.call('checkpoints', run)).exitCode).toBe(0);
  }));

it.skipIf(!hasTerminal)('diff sends a terminal nothing that works on it, and a program every byte', () =>
  inBox(async (box) => {
    await box.call('run', '--check=true', '--', 'sh', '-c', "printf 'a\\033]0;owned\\007b\\n' >odd.txt");
    const { run_id: run } = await box.show();
    expect((await box.call('diff', run)).stdout).toContain('+a\u001B]0;owned\u0007b');
    expect((await atTerminal(box, ['diff', run], [])).screen).toContain('+a]0;ownedb');
  }),
);
