/** The library keeps a run in the process of its caller, by the same door and the same words as the command line. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { supervise } from '../../src/library/supervise.ts';
import { watch } from '../../src/library/watch.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';

let world: RehearsalRepository;

beforeAll(async () => {
  world = await RehearsalRepository.make();
});
afterAll(() => world.remove());

const TASK = { task: 'write a.txt', sink: 'none', policy: { restarts: 0, backoff_ms: 10 } };

test('a task is supervised to its delivery, and its story is told line by line', async () => {
  const lines: string[] = [];
  const run = await supervise({
    ...TASK,
    command: ['sh', '-c', 'echo A > a.txt'],
    checks: ['test -f a.txt'],
    repository: world.repository,
    home: world.home,
    onLine: (line) => lines.push(line),
  });
  expect(run).toMatchObject({ state: 'delivered', task: 'write a.txt' });
  expect(lines.join('\n')).toContain('test -f a.txt');
});

test('a supervised run is an async iterator of what happens, and `watch` tells the same of a run that is over', async () => {
  const supervised = supervise({
    ...TASK,
    command: ['sh', '-c', 'echo A > a.txt'],
    checks: ['test -f a.txt'],
    repository: world.repository,
    home: world.home,
  });
  const seen: string[] = [];
  for await (const { type, state } of supervised) seen.push(`${type} ${state}`);
  const { run_id } = await supervised;
  expect(seen).toContain('attempt_started working');
  expect(seen.at(-1)).toMatch(/ delivered$/);
  const again: string[] = [];
  for await (const { type, state } of watch({ run: run_id, home: world.home }))
    again.push(`${type} ${state}`);
  expect(again).toEqual(seen);
});

test('the run and its answers are told by one name, also where no person has one', async () => {
  const run = await supervise({
    ...TASK,
    command: ['true'],
    checks: ['false'],
    repository: world.repository,
    home: world.home,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'] },
    onQuestion: () => Promise.resolve({ option: 'abandon' }),
  });
  const events = (await world.record.events(run.run_id)).map(
    ({ body }) => JSON.parse(body) as { by?: string },
  );
  const said = events.map(({ by }) => by).filter((by) => by !== undefined && by !== 'mayday');
  expect(new Set(said)).toEqual(new Set(['a program']));
});

test('a failure reaches the program that only iterates when it awaits', async () => {
  const supervised = supervise({
    ...TASK,
    command: ['no-such-program-here'],
    repository: world.repository,
    home: world.home,
  });
  for await (const moment of supervised) expect(moment).toBeUndefined();
  await expect(supervised).rejects.toThrow('no-such-program-here');
});

test('a question is answered by the program; words that only a person has are asked for', async () => {
  const asks = {
    ...TASK,
    command: ['sh', '-c', 'echo B > b.txt'],
    checks: ['test -f a.txt'],
    repository: world.repository,
    home: world.home,
  };
  const run = await supervise({ ...asks, onQuestion: async () => ({ option: 'abandon' }) });
  expect(run).toMatchObject({ state: 'abandoned' });
  const wordless = supervise({
    ...asks,
    onQuestion: async ({ options }) => ({ option: options.find(({ needsNote }) => needsNote)?.id ?? 'none' }),
  });
  await expect(wordless).rejects.toMatchObject({ code: 'NOTE_MISSING' });
});

test('a program that cannot be started is refused before a run is on record', async () => {
  mkdirSync(join(world.repository, 'sub'), { recursive: true });
  const before = await world.record.rows();
  const started = supervise({
    ...TASK,
    command: ['no-such-program-here'],
    repository: join(world.repository, 'sub'),
    home: world.home,
  });
  await expect(started).rejects.toThrow('no-such-program-here');
  expect(await world.record.rows()).toEqual(before);
});
