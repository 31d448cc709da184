import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inBox } from './box.ts';

const CONFIG = `agents:
  alpha: { command: [sh, -c, "exit 1"] }
  beta: { command: [sh, -c, "echo A > a.txt"] }
policy: { restarts: 2, backoff_ms: 20, backoff_max_ms: 50 }
`;

it('a configured fallback takes over, and every place calls the agents by their configured names', () =>
  inBox(async (box) => {
    mkdirSync(box.home, { recursive: true });
    writeFileSync(join(box.home, 'mayday.yaml'), CONFIG);
    const args = ['--agent', 'alpha', '--fallback', 'beta', '--check', 'test -f a.txt', 'write a.txt'];
    const { exitCode, stdout } = await box.call('run', '--json', ...args);
    const run = JSON.parse(stdout) as { agent: string; attempts: { agent: string }[] };
    expect({
      exitCode,
      asked: run.agent,
      attempts: run.attempts.map(({ agent }) => agent),
    }).toEqual({ exitCode: 0, asked: 'alpha', attempts: ['alpha', 'alpha', 'beta'] });
    const agents = JSON.parse((await box.call('agents', '--json')).stdout) as { agent_id: string }[];
    expect(agents.toSorted((a, b) => (a.agent_id < b.agent_id ? -1 : 1))).toMatchObject([
      { agent_id: 'alpha', attempts: 2, succeeded: 0, failed: 1 },
      { agent_id: 'beta', attempts: 1, succeeded: 1, failed: 0 },
    ]);
  }));

it('a fallback that cannot be started is refused before the run begins', () =>
  inBox(async (box) => {
    mkdirSync(box.home, { recursive: true });
    writeFileSync(join(box.home, 'mayday.yaml'), 'agents: { gone: { command: [no-such-program] } }\n');
    const { exitCode, stderr } = await box.call('run', '--fallback', 'gone', 'x', '--', 'true');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('AGENT_NOT_FOUND');
    expect((await box.call('ps', '--json')).stdout.trim()).toBe('[]');
  }));
