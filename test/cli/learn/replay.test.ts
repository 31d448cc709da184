import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeClaude } from '../../agents/session-fixtures.ts';
import { MAYDAY } from '../../mayday-under-test.ts';

let home = '';
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'mayday-replay-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function mayday(args: readonly string[]) {
  const env = { PATH: process.env['PATH'], HOME: home, MAYDAY_HOME: join(home, '.mayday') };
  return spawnSync(process.execPath, [MAYDAY, 'replay', ...args], { encoding: 'utf8', env, cwd: home });
}

const steps = (times: number) =>
  Array.from({ length: times }, () => [
    { type: 'action', tool: 'bash', input: 'make' },
    { type: 'error', tool: 'bash', output: 'make: *** No rule to make target' },
  ]).flat();

describe('mayday replay', () => {
  test('shows catches and false alarms of two policies side by side', () => {
    mkdirSync(join(home, 'runs'));
    writeFileSync(
      join(home, 'runs', 'a.jsonl'),
      [
        { id: 'stuck', stuck: true, steps: steps(9) },
        { id: 'fine', stuck: false, steps: steps(3) },
      ]
        .map((run) => JSON.stringify(run))
        .join('\n'),
    );
    writeFileSync(join(home, 'hasty.yaml'), 'loop_stop: 3\nstale_stop: 1\n');
    const { status, stdout, stderr } = mayday(['runs', '--policy', 'hasty.yaml', '--json']);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      policy: [
        { key: 'loop_stop', now: 5, proposed: 3 },
        { key: 'stale_stop', now: 1.75, proposed: 1 },
      ],
      now: { caught: 1, stuck: 1, false_alarms: 0, healthy: 1 },
      proposed: { caught: 1, stuck: 1, false_alarms: 1, healthy: 1 },
    });
    const told = mayday(['runs', '--policy', 'hasty.yaml']).stdout;
    expect(told).toContain('loop_stop 5 -> 3');
    expect(told).toContain('disturbed 1 of 1 healthy');
  });

  test('reads agent sessions, too', () => {
    const session = writeClaude(home);
    writeFileSync(join(home, 'policy.yaml'), 'policy: {loop_stop: 40, stale_stop: 40, cycle_turns: 40}\n');
    const { stdout } = mayday([session, '--policy', 'policy.yaml', '--json']);
    expect(JSON.parse(stdout).runs).toMatchObject([
      { now: { critical: expect.anything() }, proposed: { critical: null } },
    ]);
  });

  test('refuses a limit that does not exist', () => {
    writeFileSync(join(home, 'policy.yaml'), 'loop_stoop: 4\n');
    const { status, stderr } = mayday(['--policy', 'policy.yaml']);
    expect(status).toBe(2);
    expect(stderr).toContain('loop_stop');
  });
});
