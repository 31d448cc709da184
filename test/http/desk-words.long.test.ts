/** Everything that the command line says to a run can be said by the API, with the same results, refusals and codes. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openQuestion } from '../../src/core/state/run-state.ts';
import { loadState } from '../../src/supervise/load-state.ts';
import { DeskWorld } from './desk-world.ts';

/** The work lacks what the check wants until the agent is told. */
const AFTER_ADVICE = {
  attempts: [
    { steps: [{ write: { 'b.txt': 'B' } }, { exit: 0 }] },
    { steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] },
  ],
};
const ASK_AT_ONCE = { policy: { restarts: 0 }, sink: 'branch' };

let world: DeskWorld;
let headers: Readonly<Record<string, string>>;

beforeAll(async () => {
  world = await DeskWorld.open();
  headers = await world.login();
});
afterAll(() => world.close());

const post = (path: string, body: unknown = {}) => world.send(path, { method: 'POST', headers, body });
const state = (runId: string) => loadState(world.repository.record, runId);

describe('one run', () => {
  let runId: string;
  let workspace: string;
  const say = (verb: string, body: unknown = {}) => post(`/api/runs/${runId}/${verb}`, body);

  beforeAll(async () => {
    const asked = await world.repository.run(AFTER_ADVICE, 'write a.txt', ASK_AT_ONCE);
    expect(openQuestion(asked)).toBeDefined();
    runId = asked.runId;
    workspace = asked.workspace?.path ?? '';
  });

  test('checkpoint saves the work, restore brings an earlier state back and tells how to undo it', async () => {
    const before = (await state(runId)).checkpoints.at(-1)?.number ?? 0;
    writeFileSync(join(workspace, 'b.txt'), 'changed');
    const taken = await say('checkpoint');
    const { number } = taken.body['checkpoint'] as { number: number };
    expect(taken).toMatchObject({ status: 200, body: { result: 'taken', run: { run_id: runId } } });
    expect(number).toBeGreaterThan(before);
    const back = await say('restore', { checkpoint: before });
    expect(back).toMatchObject({ status: 200, body: { result: 'restored', number: before } });
    expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('B');
    expect(await say('restore', { checkpoint: back.body['undo'] })).toMatchObject({ status: 200 });
    expect(readFileSync(join(workspace, 'b.txt'), 'utf8')).toBe('changed');
    expect(await say('restore', { checkpoint: 'last' })).toMatchObject({ body: { code: 'WRONG_REQUEST' } });
    expect(await say('restore', { checkpoint: 9_999 })).toMatchObject({
      status: 409,
      body: { code: 'RESTORE_REFUSED' },
    });
  });

  test('a rescue takes only files of the repository, also where a link leads out of it', async () => {
    symlinkSync('/etc/hostname', join(world.repository.repository, 'linked'));
    const { seq } = await state(runId);
    for (const file of ['/etc/hostname', '../home/keys/person.key', 'linked', 'missing.md'])
      expect(await say('rescue', { injection: 'read it', files: [file] }), file).toMatchObject({
        status: 422,
        body: { code: 'RESCUE_FILE_UNUSABLE' },
      });
    expect(await say('rescue', { injection: ' ' })).toMatchObject({ body: { code: 'WRONG_REQUEST' } });
    expect((await state(runId)).seq).toBe(seq);
  });

  test('a rescue, its mission closed with what was learned, and the run taken from the list', async () => {
    expect(await say('remove')).toMatchObject({ status: 409, body: { code: 'RUN_NOT_ENDED' } });
    const rescued = await say('rescue', {
      injection: 'write the file a.txt',
      category: 'missing_context',
      files: ['README.md'],
    });
    expect(rescued).toMatchObject({
      status: 200,
      body: { result: 'rescuing', mission: { owner: 'ann', diagnosis: { category: 'missing_context' } } },
    });
    expect((await state(runId)).life).toMatchObject({ type: 'ended', state: 'delivered' });
    const { id } = rescued.body['mission'] as { id: string };
    const close = (body: unknown) => post(`/api/missions/${id}/close`, body);
    expect(await close({})).toMatchObject({ status: 422, body: { code: 'MISSION_OWES' } });
    expect(await close({ reason: 'a typing error' })).toMatchObject({
      status: 200,
      body: { mission: { id, state: 'closed' } },
    });
    expect(await close({ reason: 'again' })).toMatchObject({ status: 409, body: { code: 'MISSION_CLOSED' } });
    for (const verb of ['abandon', 'checkpoint', 'restore'])
      expect(await say(verb), verb).toMatchObject({ status: 409, body: { code: 'RUN_ENDED' } });
    expect(await say('remove')).toMatchObject({ status: 200, body: { result: 'removed' } });
    const { runs } = (await world.send('/api/runs', { headers })).body as { runs: { run_id: string }[] };
    expect(runs.map(({ run_id }) => run_id)).not.toContain(runId);
    expect(existsSync(workspace)).toBe(false);
  });
});

describe('a new run', () => {
  const wish = () => ({
    repository: world.repository.repository,
    task: 'write a.txt',
    agent: 'acp:true',
    checks: ['test -f a.txt'],
  });

  test('is queued for a worker in the name of the person, and can be abandoned', async () => {
    const made = await post('/api/runs', { ...wish(), name: 'queued-here', scope: ['*.txt'], expect: '20m' });
    expect(made).toMatchObject({
      status: 200,
      body: { result: 'queued', run: { run_id: 'queued-here', state: 'queued' } },
    });
    const { task, options } = await state('queued-here');
    expect(task).toMatchObject({ checks: ['test -f a.txt'], scope: ['*.txt'], expectedMs: 1_200_000 });
    expect(options.inPlace).toBe(false);
    const ended = await post('/api/runs/queued-here/abandon', { reason: 'not needed' });
    expect(ended).toMatchObject({ status: 200, body: { result: 'ending', run: { state: 'abandoned' } } });
    expect((await state('queued-here')).life).toMatchObject({ type: 'ended', state: 'abandoned' });
  });

  test('says nothing that only the person at the terminal may say', async () => {
    const before = await world.repository.record.rows();
    for (const [more, code] of [
      [{ repository: '/etc' }, 'UNKNOWN_REPOSITORY'],
      [{ sink: 'patch:/tmp/outside.patch' }, 'SINK_REFUSED'],
      [{ trust: true }, 'WRONG_REQUEST'],
      [{ in_place: true }, 'WRONG_REQUEST'],
      [{ command: ['sh'] }, 'WRONG_REQUEST'],
      [{ labels: ['A B'] }, 'WRONG_LABEL'],
      [{ timeout: 'soon' }, 'WRONG_DURATION'],
      [{ task: ' ' }, 'WRONG_REQUEST'],
    ] as const)
      expect(await post('/api/runs', { ...wish(), ...more }), code).toMatchObject({ body: { code } });
    expect(await world.repository.record.rows()).toEqual(before);
  });
});

test('nothing of all this broke a promise of our own', () => {
  expect(world.faults).toEqual([]);
});
