import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inBox } from './box.ts';
import { PLAYS_ALL } from '../lane.ts';

const QUICK = { bus_task_limit_ms: 1_500, bus_stop_grace_ms: 500 };

interface Line {
  readonly type: string;
  readonly id: number;
  readonly source: string;
  readonly agent_id: string;
  readonly status?: string;
  readonly error?: string | null;
}

const lines = (text: string): Line[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);

describe('external agents on the bus', () => {
  it('one finishes and one never does: it is told to stop, failed once though two look, flagged, and cleared by a person', () =>
    inBox(async (box) => {
      box.policy(QUICK);
      const mayday = `${process.execPath} ${box.bin} bus publish`;
      const first = box.start(['bus', '--follow']);
      const second = box.start(['bus', '--follow']);
      writeFileSync(
        join(box.folder, 'agents.sh'),
        `export MAYDAY_HOME=${box.home}
printf '{"type":"TASK_UPDATE","task_id":"t1","agent_id":"good","status":"RUNNING"}\\n{"type":"TASK_UPDATE","task_id":"t1","agent_id":"good","status":"COMPLETED","result_status":"SUCCESS"}\\n' | ${mayday}
printf '{"type":"TASK_UPDATE","task_id":"t2","agent_id":"lost","status":"RUNNING"}\\nnot json\\n' | ${mayday}
`,
      );
      const said = await box.shell('sh agents.sh');
      expect(said.stderr).toContain(
        'line 2: mayday: no message for the bus: not a line of JSON (WRONG_MESSAGE)',
      );
      const heard = async () => lines((await box.call('bus')).stdout);
      await box.until('the lost agent is flagged', async () =>
        (await heard()).some(({ type }) => type === 'AGENT_FLAGGED'),
      );
      for (const { child } of [first, second]) child.kill('SIGTERM');
      const [one, two] = [await first.done, await second.done];
      const all = await heard();
      expect(all.map(({ type, agent_id, status }) => [type, agent_id, ...(status ? [status] : [])])).toEqual([
        ['TASK_UPDATE', 'good', 'RUNNING'],
        ['TASK_UPDATE', 'good', 'COMPLETED'],
        ['TASK_UPDATE', 'lost', 'RUNNING'],
        ['CRITICAL', 'lost'],
        ['STOP_AGENT', 'lost'],
        ['TASK_UPDATE', 'lost', 'FAILED'],
        ['AGENT_FLAGGED', 'lost'],
      ]);
      expect(all.find(({ status }) => status === 'FAILED')?.error).toBe('Agent unresponsive timeout');
      expect(one.stdout.startsWith('{"type":"TASK_UPDATE","task_id":"t1"')).toBe(true);
      expect([one.exitCode, two.exitCode]).toEqual([0, 0]);

      const late = await box.call(
        'bus',
        'publish',
        '--task',
        't2',
        '--agent',
        'lost',
        '--status',
        'COMPLETED',
      );
      expect({ exitCode: late.exitCode, said: late.stderr }).toMatchObject({
        exitCode: 2,
        said: expect.stringContaining('TASK_OVER'),
      });
      const agents = async () => JSON.parse((await box.call('agents', '--json')).stdout) as unknown[];
      expect(await agents()).toMatchObject([
        { agent_id: 'lost', external: true, attempts: 1, failed: 1, flagged: { times: 1 } },
        { agent_id: 'good', external: true, succeeded: 1, success_share: 1, flagged: null },
      ]);
      expect((await box.call('agents', 'clear', 'lost', '--note', 'disk was full')).exitCode).toBe(0);
      expect(await agents()).toMatchObject([{ flagged: null }, { flagged: null }]);
      expect((await box.call('verify')).exitCode).toBe(0);
    }));
});

it('nobody but the run speaks for a run', () =>
  inBox(async (box) => {
    const { stdout } = await box.call('submit', '--json', 'x', '--', 'true');
    const { run_id } = JSON.parse(stdout) as { run_id: string };
    const spoken = await box.call(
      'bus',
      'publish',
      '--task',
      run_id,
      '--agent',
      'a',
      '--status',
      'COMPLETED',
    );
    expect({ exitCode: spoken.exitCode, said: spoken.stderr }).toMatchObject({
      exitCode: 2,
      said: expect.stringContaining('TASK_OF_A_RUN'),
    });
  }));

it('alerts have the keys that others read', () =>
  inBox(async (box) => {
    box.policy({
      command_silence_ms: 700,
      silence_ms: 700,
      stop_soft_ms: 300,
      stop_term_ms: 300,
      restarts: 0,
    });
    await box.call('run', '--check', 'false', '--', 'sleep', '60');
    const alerts = JSON.parse((await box.call('ps', '--alerts', '--json')).stdout) as object[];
    const { run_id } = await box.show();
    expect(alerts.length).toBeGreaterThan(0);
    for (const alert of alerts) {
      expect(Object.keys(alert)).toEqual(
        expect.arrayContaining([
          'run_id',
          'attempt',
          'agent_id',
          'task_id',
          'type',
          'reason',
          'severity',
          'suggested_action',
          'at',
        ]),
      );
      expect(alert).toMatchObject({
        run_id,
        task_id: run_id,
        severity: expect.stringMatching(/^(warning|critical)$/),
      });
    }
  }));

const QUEUED = PLAYS_ALL ? 20 : 8;

it(
  `a worker keeps ${QUEUED} runs, four at a time, and none begins before it comes`,
  () =>
    inBox(async (box) => {
      writeFileSync(
        join(box.folder, 'script.yaml'),
        'attempts:\n  - steps: [{write: {a.txt: "A"}}, {exit: 0}]\n',
      );
      const mayday = `${process.execPath} ${box.bin}`;
      const submit = `MAYDAY_HOME=${box.home} ${mayday} submit --script ../script.yaml --check "test -f a.txt" "write a"`;
      await box.shell(`cd repository; for i in $(seq ${QUEUED}); do ${submit}; done`);
      const states = async () =>
        (JSON.parse((await box.call('ps', '--json')).stdout) as { state: string }[]).map(
          ({ state }) => state,
        );
      expect(await states()).toEqual(Array.from({ length: QUEUED }, () => 'queued'));
      const worked = await box.call('work', '--concurrency', '4', '--until-idle', '--json');
      expect(worked.exitCode).toBe(0);
      expect(await states()).toEqual(Array.from({ length: QUEUED }, () => 'delivered'));
      const updates = lines((await box.call('bus')).stdout).filter(({ type }) => type === 'TASK_UPDATE');
      let running = 0;
      let most = 0;
      for (const { status } of updates) {
        running += status === 'RUNNING' ? 1 : status === 'COMPLETED' ? -1 : 0;
        most = Math.max(most, running);
      }
      expect({ running, most }).toEqual({
        running: 0,
        most: expect.toSatisfy((n: number) => n >= 2 && n <= 4),
      });
      await box.until('nothing runs any more', () => box.processes().length === 0);
      expect(readFileSync(join(box.repository, 'README.md'), 'utf8')).toBe('x\n');
    }),
  240_000,
);
