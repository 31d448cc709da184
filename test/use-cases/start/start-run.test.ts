/** One door for new runs: what is doubtful is refused before anything is written, what is worth knowing comes back as data. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RecordUnavailable } from '../../../src/record/contract/record-unavailable.ts';
import { loadState } from '../../../src/supervise/load-state.ts';
import { type NewRun, planRun } from '../../../src/use-cases/start/plan-run.ts';
import { startRun } from '../../../src/use-cases/start/start-run.ts';
import { RehearsalRepository } from '../../context/rehearsal-repository.ts';

const WRITES_A = { attempts: [{ steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] }] };

let world: RehearsalRepository;

beforeAll(async () => {
  world = await RehearsalRepository.make();
});
afterAll(() => world.remove());

function plan(wish: Partial<NewRun>, env: NodeJS.ProcessEnv = process.env) {
  const planner = { home: world.home, env, by: 'ann' };
  return planRun(planner, { task: 'write a.txt', cwd: world.repository, ...wish });
}

test('a queued run is on record for a worker, and has no keeper', async () => {
  const { type, runId, state } = await startRun(
    world.caller(),
    await plan({ script: WRITES_A, queued: true }),
  );
  expect(type).toBe('queued');
  expect(state).toMatchObject({ runId, life: { type: 'queued' }, task: { text: 'write a.txt' } });
  expect(await world.record.lease(runId)).toBeNull();
});

test('a queued run that the fleet could not be told of is free for the next worker', async () => {
  const { record } = world;
  const offer = () => Promise.reject(new Error('the database is gone'));
  const fleet = new Proxy(record, {
    get: (target, key) => (key === 'hosts' ? { offer } : (Reflect.get(target, key) as unknown)),
  });
  const wish = await plan({ script: WRITES_A, queued: true });
  await expect(startRun({ ...world.caller(), record: fleet }, wish)).rejects.toThrow('the database is gone');
  expect((await loadState(record, wish.runId)).life).toMatchObject({ type: 'queued' });
  expect(await record.lease(wish.runId)).toBeNull();
});

test('a short cut of the database leaves no queued run that no host hears of', async () => {
  const { record } = world;
  const offered: string[] = [];
  let cuts = 1;
  const offer = async ({ runId }: { runId: string }) => {
    if (cuts-- > 0) throw new RecordUnavailable('RECORD_UNAVAILABLE', 'the database does not answer.');
    offered.push(runId);
  };
  const fleet = new Proxy(record, {
    get: (target, key) => (key === 'hosts' ? { offer } : (Reflect.get(target, key) as unknown)),
  });
  const wish = await plan({ script: WRITES_A, queued: true });
  const { runId } = await startRun({ ...world.caller(), record: fleet }, wish);
  expect(offered).toEqual([runId]);
});

test('a started run is heard by its caller; the script is kept with the run', async () => {
  const wish = { script: WRITES_A, checks: ['test -f a.txt'], sink: 'none' };
  const { type, runId, state } = await startRun(world.caller(), await plan(wish));
  expect(type).toBe('started');
  expect(state.life).toMatchObject({ type: 'ended', state: 'delivered' });
  expect(state.options.script).toContain(runId);
  expect(JSON.parse(readFileSync(state.options.script ?? '', 'utf8'))).toEqual(WRITES_A);
});

test('a wish that cannot be granted is refused before anything is written', async () => {
  const before = await world.record.rows();
  const refused = {
    NO_AGENT: {},
    EMPTY_TASK: { task: ' ', script: WRITES_A },
    WRONG_SCOPE: { script: WRITES_A, scope: ['/etc'] },
    BUDGET_NOT_MEASURED: { command: ['true'], budgetUsd: 1 },
    VARIABLE_NOT_SET: { command: ['true'], given: { names: ['SET_NOWHERE'], values: {} } },
  };
  for (const [code, wish] of Object.entries(refused))
    await expect(plan(wish), code).rejects.toMatchObject({ code });
  await expect(plan({ command: ['no-such-program-here'] })).rejects.toMatchObject({
    message: expect.stringContaining('no-such-program-here'),
  });
  expect(await world.record.rows()).toEqual(before);
});

test('a wrong value is told with the place it comes from: an option, the task file or mayday.yaml', async () => {
  const message = (text: string) => ({ message: expect.stringContaining(text) as unknown });
  const asked = { script: WRITES_A, config: { scope: ['/etc'], checks: ['true'] } };
  await expect(plan(asked)).rejects.toMatchObject(message('scope "/etc" of mayday.yaml is no path'));
  const check = { script: WRITES_A, config: { checks: [' '] } };
  await expect(plan(check)).rejects.toMatchObject(message('check " " of mayday.yaml is not a command'));
  await expect(plan({ ...asked, scope: ['../x'] })).rejects.toMatchObject(
    message('--scope "../x" is no path'),
  );
  const inFile = {
    script: WRITES_A,
    scope: ['../x'],
    saidIn: { place: 'the task file', names: ['scope'] },
  } as const;
  await expect(plan(inFile)).rejects.toMatchObject(message('scope "../x" of the task file is no path'));
});

test('what the person should know comes with the plan: a key that is not passed, a check and a set-up at hand', async () => {
  const env = { ...process.env, OPENAI_API_KEY: 'sk-test', PATH: process.env['PATH'] };
  writeFileSync(join(world.repository, 'package.json'), '{"scripts":{"test":"node --test"}}');
  writeFileSync(join(world.repository, 'package-lock.json'), '{}');
  const { notes } = await plan({ command: ['true'] }, env);
  expect(notes.withheld).toContain('OPENAI_API_KEY');
  expect(notes).toMatchObject({ checkAtHand: 'npm test', setupAtHand: 'npm ci' });
  const passed = await plan(
    { command: ['true'], checks: ['true'], setup: 'none', given: { names: ['OPENAI_API_KEY'], values: {} } },
    env,
  );
  expect(passed.notes).toEqual({ withheld: [], warnings: [], checkAtHand: null, setupAtHand: null });
});

test('two runs in place in one folder: the second is refused, also where both were planned before', async () => {
  const wish = { script: WRITES_A, inPlace: true, queued: true };
  const [first, second] = [await plan(wish), await plan(wish)];
  const { runId } = await startRun(world.caller(), first);
  await expect(startRun(world.caller(), second)).rejects.toMatchObject({ code: 'FOLDER_IN_USE' });
  expect((await loadState(world.record, runId)).options.inPlace).toBe(true);
});

test('a name that another run has by now is replaced, and with it what depends on the name', async () => {
  const taken = (await startRun(world.caller(), await plan({ script: WRITES_A, queued: true }))).runId;
  const again = await plan({ script: WRITES_A, queued: true });
  const { runId, state } = await startRun(world.caller(), { ...again, runId: taken });
  expect(runId).not.toBe(taken);
  expect(state.options.script).toContain(join('runs', runId));
  expect(existsSync(state.options.script ?? '')).toBe(true);
});

test('values given to a run stay out of the journal and lie in a file of the run', async () => {
  mkdirSync(join(world.repository, 'sub'), { recursive: true });
  const given = { names: ['TOKEN'], values: { TOKEN: 'hush-hush-9' } };
  const wish = { command: ['true'], task: 'use hush-hush-9', given, queued: true };
  const { runId } = await startRun(
    world.caller(),
    await plan({ ...wish, cwd: join(world.repository, 'sub') }),
  );
  const events = await world.record.events(runId);
  expect(events.map(({ body }) => body).join('\n')).not.toContain('hush-hush-9');
  expect((await loadState(world.record, runId)).options).toMatchObject({
    folder: 'sub',
    environment: ['TOKEN'],
  });
});

test('a program by its path is the one that the person sees, unless git brings it into the worktree', async () => {
  const program = '#!/bin/sh\ntrue\n';
  const write = (name: string) => writeFileSync(join(world.repository, name), program, { mode: 0o755 });
  write('../beside.sh');
  write('own.sh');
  write('theirs.sh');
  execFileSync('git', ['add', 'theirs.sh'], { cwd: world.repository });
  const planned = async (path: string) => (await plan({ command: [path, 'x'] })).fact.agent.command;
  expect(await planned('../beside.sh')).toEqual([join(world.repository, '../beside.sh'), 'x']);
  expect(await planned('./own.sh')).toEqual([join(world.repository, 'own.sh'), 'x']);
  expect(await planned('./theirs.sh')).toEqual(['./theirs.sh', 'x']);
});
