/** What people whom the owner let in cannot do: run a program, read a file, or give an agent more than it has. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQuestion } from '../../src/core/state/run-state.ts';
import { loadState } from '../../src/supervise/load-state.ts';
import { trustConfig } from '../../src/supervise/request/config-trust.ts';
import { readConfig } from '../../src/supervise/request/read-config.ts';
import { planRun } from '../../src/use-cases/start/plan-run.ts';
import { startRun } from '../../src/use-cases/start/start-run.ts';
import { DeskWorld } from './desk-world.ts';

type Headers = Readonly<Record<string, string>>;

let world: DeskWorld;
let owner: Headers;
let operator: Headers;
let starter: Headers;

beforeAll(async () => {
  world = await DeskWorld.open();
  owner = await world.login();
  operator = await world.invited('operator', 'opa', owner);
  starter = await world.invited('starter', 'sue', owner);
});
afterAll(() => world.close());

const post = (headers: Headers, path: string, body: unknown) =>
  world.send(path, { method: 'POST', headers, body });
const refused = { status: 403, body: { code: 'NOT_ALLOWED' } };

describe('a starter', () => {
  let wish: Readonly<Record<string, unknown>>;
  const shared = () => join(world.repository.repository, 'mayday.yaml');

  beforeAll(() => {
    const { repository, home } = world.repository;
    wish = { repository, task: 'write a.txt' };
    writeFileSync(
      join(home, 'mayday.yaml'),
      JSON.stringify({
        agents: { helper: { command: ['true'] }, other: { command: ['true'] } },
        desk: { start: [{ repository, agents: ['helper'], checks: ['test -f a.txt', 'true'] }] },
      }),
    );
  });

  test('starts the agent and the checks that the configuration of the desk names for that repository', async () => {
    const made = await post(starter, '/api/runs', { ...wish, name: 'by-sue', scope: ['*.txt'] });
    expect(made).toMatchObject({ status: 200, body: { result: 'queued', run: { run_id: 'by-sue' } } });
    const { agent, task } = await loadState(world.repository.record, 'by-sue');
    expect({ agent, checks: task.checks }).toMatchObject({
      agent: { name: 'helper', command: ['true'] },
      checks: ['test -f a.txt', 'true'],
    });
    const fewer = { ...wish, name: 'fewer', agent: 'helper', checks: ['true'] };
    expect(await post(starter, '/api/runs', fewer)).toMatchObject({ status: 200 });
  });

  test.each([
    ['another agent of the configuration', { agent: 'other' }],
    ['a program as an agent', { agent: 'acp:touch STARTED' }],
    ['a program as a fallback', { fallbacks: ['acp:touch STARTED'] }],
    ['a check of their own', { checks: ['true', 'touch STARTED'] }],
    ['another repository', { repository: '/etc' }],
    ['uncommitted files', { include_dirty: true }],
    ['where the work goes', { sink: 'merge:main' }],
    ['a larger budget', { budget_usd: 'none' }],
    ['more turns', { max_turns: 1_000 }],
  ])('does not choose %s', async (_, more) => {
    const started = join(world.repository.repository, 'STARTED');
    const body = JSON.parse(JSON.stringify({ ...wish, ...more }).replace('STARTED', started)) as object;
    const before = await world.repository.record.rows();
    expect(await post(starter, '/api/runs', body)).toMatchObject(refused);
    expect(await world.repository.record.rows()).toEqual(before);
    expect(existsSync(started)).toBe(false);
  });

  test.each([
    ['names an agent as the desk does', { agents: { helper: { command: ['sh', '-c', 'true'] } } }],
    ['adds a fallback', { fallbacks: ['other'] }],
    [
      'opens the desk',
      { desk: { start: [{ repository: '/', agents: ['other'], checks: [] }] }, agent: 'other' },
    ],
  ])('gets no right by a file of the repository that %s, even a trusted one', async (_, config) => {
    writeFileSync(shared(), JSON.stringify(config));
    await trustConfig(world.repository.home, await readConfig(shared()));
    const more = 'desk' in config ? { agent: 'other' } : {};
    expect(await post(starter, '/api/runs', { ...wish, ...more })).toMatchObject(refused);
    writeFileSync(shared(), '{}');
  });

  test('is no operator: that one starts nothing', async () => {
    expect(await post(operator, '/api/runs', { ...wish, agent: 'helper', checks: ['true'] })).toMatchObject(
      refused,
    );
  });
});

describe('an operator', () => {
  /** An agent that looked first proposes a command as a check. */
  async function proposing() {
    const { home, repository } = world.repository;
    const proposal = JSON.stringify({ scope: ['*.txt'], checks: ['touch STARTED'], summary: 'one file' });
    const script = {
      attempts: [{ steps: [{ run: `echo '${proposal}' > "$MAYDAY_PROPOSAL"` }, { exit: 0 }] }],
    };
    const wish = { task: 'write a.txt', cwd: repository, config: {}, script, explore: true, sink: 'none' };
    const plan = await planRun({ home, env: process.env, by: 'test' }, wish);
    return (await startRun(world.repository.caller(), plan)).state;
  }

  test('takes no answer that makes a command a check, by number, by name or by the name of the run', async () => {
    const state = await proposing();
    const question = openQuestion(state)?.question;
    const at = (question?.options.findIndex(({ id }) => id === 'record_judgment') ?? -1) + 1;
    expect(at).toBeGreaterThan(0);
    for (const name of [question?.id, state.runId])
      for (const option of ['record_judgment', String(at)])
        expect(await post(operator, `/api/questions/${name}/answer`, { option, note: 'yes' })).toMatchObject(
          refused,
        );
    expect((await loadState(world.repository.record, state.runId)).seq).toBe(state.seq);
    // Other answers to the same question are theirs, and the record says who gave them.
    const kept = await post(operator, `/api/questions/${question?.id}/answer`, {
      option: 'abandon',
      note: 'no',
    });
    expect(kept).toMatchObject({ status: 200, body: { by: 'opa, invited by ann' } });
    await expect
      .poll(async () => (await loadState(world.repository.record, state.runId)).questions[0]?.answer, {
        timeout: 60_000,
      })
      .toMatchObject({ option: 'abandon', by: 'opa, invited by ann' });
  });

  test('gives an agent words, and no file', async () => {
    const { runId, seq } = await proposing();
    const given = { injection: 'read it', files: ['README.md'] };
    expect(await post(operator, `/api/runs/${runId}/rescue`, given)).toMatchObject(refused);
    const specs = { injection: 'read it', specs: ['README.md'] };
    expect(await post(operator, `/api/runs/${runId}/rescue`, specs)).toMatchObject(refused);
    expect((await loadState(world.repository.record, runId)).seq).toBe(seq);
  });
});

test('nothing of all this broke a promise of our own', () => {
  expect(world.faults).toEqual([]);
});
