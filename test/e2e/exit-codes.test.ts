import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Box, inBox } from './box.ts';

const QUICK = { backoff_ms: 20, backoff_max_ms: 50, stop_soft_ms: 500, stop_term_ms: 500 };

function trailersOf(box: Box, runId: string): Readonly<Record<string, string>> {
  const lines = box
    .git('log', '-1', '--format=%(trailers:only,unfold)', `mayday/${runId}`)
    .trim()
    .split('\n');
  return Object.fromEntries(lines.map((line) => line.split(': ') as [string, string]));
}

describe('mayday run ends by the exit-code table', () => {
  it('0 and a branch when the checks pass', () =>
    inBox(async (box) => {
      const { exitCode, stdout } = await box.call(
        'run',
        '--json',
        '--check',
        'test -f done',
        '--',
        'sh',
        '-c',
        'echo hi > done',
      );
      expect(exitCode).toBe(0);
      const run = JSON.parse(stdout) as { run_id: string; state: string; delivered: unknown };
      expect(trailersOf(box, run.run_id)).toEqual({ 'Mayday-Run': run.run_id, 'Mayday-Proven': 'yes' });
      expect(run).toMatchObject({
        state: 'delivered',
        word: 'delivered',
        proven: true,
        not_proven: [],
        delivered: { sink: `branch:mayday/${run.run_id}`, files: ['done'] },
      });
      expect(box.git('show', `mayday/${run.run_id}:done`)).toBe('hi\n');
      expect(box.git('status', '--porcelain')).toBe('');
      await box.until('nothing runs any more', () => box.processes().length === 0);
      const again = await box.call('verify', '--rerun', run.run_id, '--json');
      expect(again.exitCode, again.stdout).toBe(0);
      expect(JSON.parse(again.stdout)).toMatchObject({
        holds: true,
        rerun: { run_id: run.run_id, checks: [{ passed: true, recorded_passed: true }], problems: [] },
      });
      box.git('update-ref', '-d', `refs/heads/mayday/${run.run_id}`);
      box.git('prune', '--expire=now');
      expect(await box.call('verify', '--rerun', run.run_id)).toMatchObject({
        exitCode: 1,
        stdout: expect.stringContaining('cannot be fetched'),
      });
    }));

  it('3 and a question when the agent fails and fails', () =>
    inBox(async (box) => {
      box.policy({ ...QUICK, restarts: 1 });
      const { exitCode, stdout } = await box.call(
        'run',
        '--json',
        '--check',
        'test -f done',
        '--',
        'sh',
        '-c',
        'exit 7',
      );
      expect(exitCode).toBe(3);
      const run = JSON.parse(stdout) as {
        attempts: unknown[];
        questions: { state: string }[];
        incidents: unknown[];
      };
      expect(run).toMatchObject({
        state: 'waiting',
        attempts: [{ exit_code: 7 }, { exit_code: 7 }],
        questions: [{ state: 'open' }],
        incidents: [{ class: 'crashed' }],
      });
      await box.until('nothing runs any more', () => box.processes().length === 0);
    }));

  it('3 when success is claimed and the check says no', () =>
    inBox(async (box) => {
      box.policy({ ...QUICK, restarts: 0 });
      const { exitCode, stdout } = await box.call(
        'run',
        '--json',
        '--check',
        'test -f done',
        '--',
        'sh',
        '-c',
        'touch other',
      );
      expect(exitCode).toBe(3);
      expect(JSON.parse(stdout)).toMatchObject({
        incidents: [{ class: 'false_success' }],
        blockers: [{ code: 'check_failed' }],
        claims: [{ recorded: false }],
      });
      const { run_id } = JSON.parse(stdout) as { run_id: string };
      expect(await box.call('verify', '--rerun', run_id)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('NOTHING_TO_RERUN'),
      });
    }));

  it('5 when there is nothing to check with', () =>
    inBox(async (box) => {
      const { exitCode, stdout } = await box.call('run', '--', 'sh', '-c', 'touch done');
      expect(exitCode).toBe(5);
      expect(stdout).toMatch(/delivered, not proven[^]*not proven: there was nothing to check with/);
      const { run_id } = await box.show();
      expect(trailersOf(box, run_id)).toMatchObject({ 'Mayday-Proven': 'no' });
    }));

  it('5 when a person delivers what no check proves, and no view calls it delivered alone', () =>
    inBox(async (box) => {
      box.policy({ ...QUICK, restarts: 0 });
      await box.call('run', '--check', 'test -f done', '--', 'sh', '-c', 'touch other');
      const { run_id } = await box.show();
      const answer = [run_id, 'waive_with_reason', '--note', 'it comes later', '--follow'];
      const answered = await box.call('answer', ...answer);
      expect(answered, answered.stderr).toMatchObject({
        exitCode: 5,
        stdout: expect.stringContaining('delivered, not proven  branch'),
      });
      const proof = {
        state: 'delivered',
        word: 'not_proven',
        proven: false,
        not_proven: [
          'a required check fails (waived by',
          'the check `test -f done` failed with exit 1 on the delivered work',
        ].map((part) => expect.stringContaining(part)),
      };
      expect(await box.show()).toMatchObject(proof);
      expect(JSON.parse((await box.call('ps', '--json')).stdout)).toMatchObject([proof]);
      for (const view of [['ps'], ['show', run_id], ['status', run_id], ['ps', '--state', 'not_proven']])
        expect((await box.call(...view)).stdout, view.join(' ')).toContain('delivered, not proven');
      expect(trailersOf(box, run_id)).toEqual({ 'Mayday-Run': run_id, 'Mayday-Proven': 'no' });
      expect(await box.call('verify', '--rerun', run_id)).toMatchObject({
        exitCode: 1,
        stdout: expect.stringMatching(/✗ test -f done[^]*1 problems/),
      });
    }));

  it('5 when a person accepts the work', () =>
    inBox(async (box) => {
      box.policy({ ...QUICK, restarts: 0 });
      await box.call('run', '--check', 'test -f done', '--', 'sh', '-c', 'touch other');
      const { run_id } = await box.show();
      const { exitCode, stdout } = await box.call('accept', run_id, '--note', 'as it is', '--json');
      expect(exitCode).toBe(5);
      expect(JSON.parse(stdout)).toMatchObject({
        proven: false,
        not_proven: [expect.stringMatching(/^accepted by .*: as it is$/), expect.stringContaining('failed')],
      });
    }));

  it('4 when a person abandons, and the work stays on a branch', () =>
    inBox(async (box) => {
      box.policy({ ...QUICK, restarts: 0 });
      await box.call('run', '--check', 'false', '--', 'sh', '-c', 'touch half');
      const { run_id } = await box.show();
      const answered = await box.call('answer', run_id, 'abandon', '--follow');
      expect(answered.exitCode).toBe(4);
      expect(box.git('show', '--stat', `mayday/${run_id}-wip`)).toContain('half');
    }));

  it('130 on Ctrl-C: stopped at a checkpoint, the resume command printed, and resume goes on', () =>
    inBox(async (box) => {
      box.policy(QUICK);
      const script = 'if [ "$MAYDAY_ATTEMPT" = 1 ]; then echo a > half; sleep 100; else echo b > done; fi';
      const { child, done } = box.start(['run', '--check', 'test -f done', '--', 'sh', '-c', script]);
      await box.until('the agent wrote its first file', () => {
        try {
          return readFileSync(join(box.worktree(), 'half'), 'utf8');
        } catch {
          return undefined;
        }
      });
      child.kill('SIGINT');
      const { exitCode, stdout } = await done;
      expect(exitCode).toBe(130);
      const { run_id, state, attempts } = await box.show();
      expect(stdout).toContain(`mayday resume ${run_id}`);
      expect({ state, ended_by: attempts[0]?.['ended_by'] }).toEqual({
        state: 'waiting',
        ended_by: 'person',
      });
      await box.until('nothing runs any more', () => box.processes().length === 0);
      expect((await box.call('resume', run_id)).exitCode).toBe(0);
      expect(box.git('show', '--stat', `mayday/${run_id}`)).toMatch(/done[\s\S]*half|half[\s\S]*done/);
    }));

  it('143 on SIGTERM: the run goes on without the view, which says how to look and how to stop', () =>
    inBox(async (box) => {
      box.policy(QUICK);
      const script = `touch ${box.folder}/begun; until test -f ${box.folder}/go; do sleep 0.1; done; touch done`;
      const { child, done } = box.start(['run', '--check', 'test -f done', '--', 'sh', '-c', script]);
      await box.until('the agent works', () => existsSync(join(box.folder, 'begun')));
      child.kill('SIGTERM');
      const { exitCode, stdout } = await done;
      expect(exitCode).toBe(143);
      const { run_id } = await box.show();
      expect(stdout).toContain(`run ${run_id} goes on without this view`);
      expect(stdout).toMatch(new RegExp(`mayday watch ${run_id} +mayday stop ${run_id} `));
      writeFileSync(join(box.folder, 'go'), '');
      await box.until('it is delivered', async () => (await box.show()).state === 'delivered');
    }));

  it('--json prints one document on stdout and nothing else', () =>
    inBox(async (box) => {
      const { stdout } = await box.call('run', '--json', '--', 'sh', '-c', 'echo noise; touch a');
      expect(stdout.trim().split('\n')).toHaveLength(1);
      expect(() => JSON.parse(stdout) as unknown).not.toThrow();
    }));
});
