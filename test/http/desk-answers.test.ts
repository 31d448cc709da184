/** A question reaches the desk, is answered there by a person, and the run goes on; all of it is seen live. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InboxDocument } from '../../src/http/inbox-document.ts';
import type { LineDocument } from '../../src/http/line-document.ts';
import { openQuestion, type RunState } from '../../src/core/state/run-state.ts';
import { loadState } from '../../src/supervise/load-state.ts';
import { isKept } from '../../src/supervise/start-keeper.ts';
import { DeskWorld } from './desk-world.ts';

/** The first attempt does nothing, the second does the work: the answer leads to the second. */
const AFTER_ADVICE = {
  attempts: [{ steps: [{ exit: 0 }] }, { steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] }],
};
const ASK_AT_ONCE = { policy: { restarts: 0 } };

let world: DeskWorld;
let headers: Readonly<Record<string, string>>;
/** Asks until the last of the tests that use it answers. */
let patient: RunState;

beforeAll(async () => {
  world = await DeskWorld.open();
  headers = await world.login();
  patient = await asked();
});
afterAll(() => world.close());

async function asked(): Promise<RunState> {
  const state = await world.repository.run(AFTER_ADVICE, 'write a.txt', ASK_AT_ONCE);
  expect(openQuestion(state)).toBeDefined();
  return state;
}

async function until<T>(what: string, look: () => Promise<T | null> | T | null): Promise<T> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const seen = await look();
    if (seen !== null) return seen;
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await pause(20);
  }
}

test('the question stands in the inbox with its options, is answered by name, and the line says so within the stream', async () => {
  const { runId, questions } = await asked();
  const id = questions[0]?.question.id ?? '';
  const { body } = await world.send('/api/inbox', { headers });
  const question = (body as unknown as InboxDocument).questions.find((one) => one.id === id);
  expect(question).toMatchObject({ id, runs: [runId], run: { run_id: runId, word: 'needs_you' } });
  expect(question?.options.filter(({ recommended }) => recommended)).toHaveLength(1);
  const list = (await world.send('/api/runs', { headers })).body as unknown as {
    runs: LineDocument[];
    change: number;
  };
  expect(list.runs.find(({ run_id }) => run_id === runId)).toMatchObject({
    word: 'needs_you',
    question: { id },
  });

  const stream = world.stream(list.change, headers);
  const option = question?.options[0]?.id;
  const sent = { method: 'POST', headers, body: { option, note: 'write the file a.txt' } };
  expect(await world.send(`/api/questions/${id}/answer`, sent)).toMatchObject({
    status: 200,
    body: { state: 'kept' },
  });
  await until(
    'the line leaves needs_you',
    () => stream.events.find(({ data }) => data['run_id'] === runId) ?? null,
  );
  stream.close();
  const state = await loadState(world.repository.record, runId);
  expect(state.questions[0]?.answer).toMatchObject({ option, by: 'ann' });
  expect(state.questions[0]?.answer?.proof).toBeDefined();
});

test('an answer that is taken back in time never reaches the run', async () => {
  const slow = await DeskWorld.open({ in: world.repository, takeBackMs: 600_000 });
  const cookies = await slow.login();
  const state = patient;
  const path = `/api/questions/${openQuestion(state)?.question.id}/answer`;
  await slow.send(path, { method: 'POST', headers: cookies, body: { option: '1', note: 'no' } });
  expect((await slow.send('/api/inbox', { headers: cookies })).body['answers']).toMatchObject([
    { state: 'kept' },
  ]);
  expect(await slow.send(path, { method: 'DELETE', headers: cookies })).toMatchObject({
    body: { taken_back: true },
  });
  await slow.desk.close();
  const after = await loadState(world.repository.record, state.runId);
  expect(after.seq).toBe(state.seq);
});

test('a desk that an agent opened for itself takes no answer', async () => {
  const state = patient;
  const inside = await DeskWorld.open({ in: world.repository, signs: { markers: [`${state.runId}.1.00`] } });
  const cookies = await inside.login();
  const id = openQuestion(state)?.question.id ?? '';
  const sent = { method: 'POST', headers: cookies, body: { option: '1', note: 'mine' } };
  expect(await inside.send(`/api/questions/${id}/answer`, sent)).toMatchObject({
    status: 403,
    body: { code: 'NOT_A_PERSON' },
  });
  expect((await loadState(world.repository.record, state.runId)).seq).toBe(state.seq);
  await inside.desk.close();
});

test('a desk that closes says at once what it still keeps', async () => {
  const slow = await DeskWorld.open({ in: world.repository, takeBackMs: 600_000 });
  const cookies = await slow.login();
  const { runId, questions } = patient;
  const id = questions[0]?.question.id ?? '';
  await slow.send(`/api/questions/${id}/answer`, {
    method: 'POST',
    headers: cookies,
    body: { option: 'abandon', note: 'x' },
  });
  await slow.desk.close();
  expect((await loadState(world.repository.record, runId)).questions[0]?.answer).toMatchObject({
    option: 'abandon',
  });
});

test('a stream resumes after the last change it was told, and tells each run once as it is now', async () => {
  // A run that is still being brought to its end changes while it is told.
  const { record } = world.repository;
  await until('no run changes any more', async () => {
    const kept = await Promise.all((await record.rows()).map(({ runId }) => isKept(record, runId)));
    return kept.includes(true) ? null : kept;
  });
  const all = world.stream(0, headers);
  await until('the first changes', () => (all.events.length >= 2 ? all : null));
  all.close();
  const runs = all.events.map(({ data }) => data['run_id']);
  expect(new Set(runs).size).toBe(runs.length);
  const middle = all.events[0]?.id ?? 0;
  const rest = world.stream(0, { ...headers, 'last-event-id': String(middle) });
  await until('the rest', () => (rest.events.length >= all.events.length - 1 ? rest : null));
  rest.close();
  expect(rest.events.map(({ id }) => id)).toEqual(all.events.slice(1).map(({ id }) => id));
});

test('a refusal is a problem document with the words of the command line', async () => {
  const sent = { method: 'POST', headers, body: {} };
  expect(await world.send('/api/runs/zzzz/stop', sent)).toMatchObject({
    status: 404,
    body: { code: 'UNKNOWN_RUN', do: ['mayday ps lists the runs'] },
  });
  const wrong = { method: 'POST', headers, body: { option: 7 } };
  expect(await world.send('/api/questions/zzzz-q1/answer', wrong)).toMatchObject({
    status: 422,
    body: { code: 'WRONG_REQUEST' },
  });
  expect(world.faults).toEqual([]);
});

test('a body of the wrong type, too large or too deep is refused, and the desk goes on', async () => {
  const send = (pieces: readonly string[]) =>
    world.send('/api/questions/zzzz-q1/answer', { method: 'POST', headers, pieces });
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const refused = { status: 422, body: { code: 'WRONG_REQUEST' } };
  for (const text of ['7', 'null', '[]', '"retry"', '{"option":', '\u0000', deep, `{"option":${deep}}`])
    expect(await send([text]), text.slice(0, 20)).toMatchObject(refused);
  const large = await send(Array.from({ length: 65 }, () => `{"option":"${'x'.repeat(1024)}"}`));
  expect(large).toMatchObject({ ...refused, body: { title: 'a request has at most 65536 bytes' } });
  expect(await world.send('/api/session', { headers })).toMatchObject({ status: 200 });
  expect(world.faults).toEqual([]);
});
