/** What every door may say to a run: answers as data, refusals as data, and nothing is written where something is refused. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openQuestion, type RunState } from '../../src/core/state/run-state.ts';
import { ownOwner } from '../../src/supervise/lease/owner.ts';
import { loadState } from '../../src/supervise/load-state.ts';
import { RunJournal } from '../../src/supervise/run-journal.ts';
import { refusalError } from '../../src/use-cases/refusal-error.ts';
import { planRun } from '../../src/use-cases/start/plan-run.ts';
import { abandonRun } from '../../src/use-cases/steer/abandon-run.ts';
import { acceptRun } from '../../src/use-cases/steer/accept-run.ts';
import { answerQuestion } from '../../src/use-cases/steer/answer-question.ts';
import { checkpointRun } from '../../src/use-cases/steer/checkpoint-run.ts';
import { closeMission } from '../../src/use-cases/learn/close-mission.ts';
import { flagRun } from '../../src/use-cases/steer/flag-run.ts';
import { releaseHold } from '../../src/use-cases/steer/release-hold.ts';
import { removeRun } from '../../src/use-cases/steer/remove-run.ts';
import { rescueRun } from '../../src/use-cases/steer/rescue-run.ts';
import { restoreRun } from '../../src/use-cases/steer/restore-run.ts';
import { resumeRun } from '../../src/use-cases/steer/resume-run.ts';
import { stopRun } from '../../src/use-cases/steer/stop-run.ts';
import { RehearsalRepository } from '../context/rehearsal-repository.ts';

/** The check never passes: the run asks a person at once. */
const WRONG_WORK = { attempts: [{ steps: [{ write: { 'b.txt': 'B' } }, { exit: 0 }] }] };
const GOOD_WORK = {
  attempts: [{ steps: [{ exit: 0 }] }, { steps: [{ write: { 'a.txt': 'A' } }, { exit: 0 }] }],
};
const ASK_AT_ONCE = { policy: { restarts: 0 } };

let world: RehearsalRepository;

beforeAll(async () => {
  world = await RehearsalRepository.make();
});
afterAll(() => world.remove());

describe('a run that asks a person', () => {
  let asked: RunState;
  const seq = async () => (await loadState(world.record, asked.runId)).seq;

  beforeAll(async () => {
    asked = await world.run(WRONG_WORK, 'write a.txt', ASK_AT_ONCE);
    expect(openQuestion(asked)).toBeDefined();
  });
  beforeEach(async () => {
    asked = await loadState(world.record, asked.runId);
  });

  test('an answer that cannot be taken is refused with what it is about, and leaves no trace', async () => {
    const question = openQuestion(asked)?.question;
    const id = question?.id ?? '';
    const own = question?.options.find(({ needsNote }) => needsNote === true)?.id ?? 'hint_and_retry';
    const answer = (name: string, option: string, note = '') =>
      answerQuestion(world.caller(), { name, option, note });
    expect(await answer('zzzz-q1', 'wait')).toMatchObject({ because: 'unknown_question', name: 'zzzz-q1' });
    expect(await answer(`${asked.runId}-q99`, 'wait')).toMatchObject({ because: 'question_closed' });
    expect(await answer(id, 'dance')).toMatchObject({ because: 'unknown_option', question: { id } });
    expect(await answer(id, own)).toMatchObject({ because: 'answer_needs_note', option: own });
    expect(await seq()).toBe(asked.seq);
    expect(await world.record.mailbox(asked.runId)).toEqual([]);
  });

  test('an agent in the place of the person is refused by every use-case that a person owns', async () => {
    const { runId } = asked;
    const agent = world.caller({ markers: [`${runId}.1.00`] });
    const id = openQuestion(asked)?.question.id ?? '';
    const plan = { category: null, rootCause: null, injection: 'x', filesAdded: [], specChanges: [] };
    const words = {
      answer: () => answerQuestion(agent, { name: id, option: '1', note: 'n' }),
      stop: () => stopRun(agent, { runId, reason: '' }),
      resume: () => resumeRun(agent, { runId, note: '' }),
      accept: () => acceptRun(agent, { runId, note: 'fine' }),
      abandon: () => abandonRun(agent, { runId, reason: '' }),
      rescue: () => rescueRun(agent, { runId, owner: 'agent', plan, from: '/' }),
      restore: () => restoreRun(agent, { runId, checkpoint: undefined }),
      close: () => closeMission(agent, { mission: `${runId}-m1`, lessons: [], specChanges: [], reason: 'x' }),
    };
    for (const [word, said] of Object.entries(words))
      await expect(said(), word).rejects.toMatchObject({ code: 'NOT_A_PERSON' });
    expect(await seq()).toBe(asked.seq);
  });

  test('a checkpoint is taken, and a later one is undone by the first', async () => {
    const { runId } = asked;
    const work = asked.workspace?.path ?? '';
    const taken = await checkpointRun(world.caller(), { runId });
    if (taken.type !== 'taken') expect.fail(taken.because);
    writeFileSync(join(work, 'b.txt'), 'changed');
    const { number } = taken.checkpoint;
    const restored = await restoreRun(world.caller(), { runId, checkpoint: String(number) });
    expect(restored).toMatchObject({ type: 'restored', number, restored: ['b.txt'] });
    const unknown = await restoreRun(world.caller(), { runId, checkpoint: 'x' });
    expect(unknown).toMatchObject({ because: 'no_checkpoint', wanted: 'x' });
  });

  test('a flag without a reason, or on a run that does not work, is refused', async () => {
    const { runId } = asked;
    expect(await flagRun(world.caller(), { runId, reason: ' ' })).toMatchObject({
      because: 'flag_needs_reason',
    });
    expect(await flagRun(world.caller(), { runId, reason: 'wrong way' })).toMatchObject({
      because: 'not_working',
    });
  });

  test('a hold that is not in force cannot be released', async () => {
    const released = await releaseHold(world.caller(), { id: 'login-0000', note: '' });
    expect(released).toEqual({ type: 'refused', because: 'unknown_hold', id: 'login-0000', active: [] });
  });

  test('it is stopped, resumed, abandoned and removed; then nothing more can be asked of it', async () => {
    const caller = world.caller();
    const { runId } = asked;
    expect(await removeRun(caller, { runId, discardWorktree: true })).toMatchObject({
      because: 'run_not_ended',
    });
    expect(await stopRun(caller, { runId, reason: 'lunch' })).toMatchObject({ type: 'stopping' });
    expect(await stopRun(caller, { runId, reason: 'lunch' })).toMatchObject({ type: 'at_rest' });
    const nothing = await answerQuestion(caller, { name: runId, option: '1', note: '' });
    expect(nothing).toMatchObject({ because: 'question_closed', runId, asks: null, goesOnInMs: null });
    expect(refusalError(nothing as never).message).toBe(`run ${runId} asks nothing now`);
    expect(await resumeRun(caller, { runId, note: '' })).toMatchObject({ type: 'resumed' });
    const ended = await abandonRun(caller, { runId, reason: 'enough' });
    expect(ended).toMatchObject({ type: 'ending', state: { life: { type: 'ended', state: 'abandoned' } } });
    const over = { type: 'refused', because: 'run_ended', runId, life: { state: 'abandoned' } };
    expect(await abandonRun(caller, { runId, reason: '' })).toMatchObject({ ...over, asked: 'abandon' });
    expect(await resumeRun(caller, { runId, note: '' })).toMatchObject({ ...over, asked: 'resume' });
    expect(await acceptRun(caller, { runId, note: 'n' })).toMatchObject({ ...over, asked: 'accept' });
    expect(await checkpointRun(caller, { runId })).toMatchObject({ ...over, asked: 'checkpoint' });
    const remove = () => removeRun(caller, { runId, discardWorktree: true });
    expect(await remove()).toMatchObject({ type: 'removed', isFirst: true });
    expect(await remove()).toMatchObject({ type: 'removed', isFirst: false });
    expect((await loadState(world.record, runId)).life).toMatchObject({ removed: true });
  });
});

test('a run that does not wait takes no resume: kept it goes on by itself, without a keeper a note would be lost', async () => {
  const caller = world.caller();
  const plan = await planRun(
    { home: world.home, env: process.env, by: 'ann' },
    { task: 'write a.txt', cwd: world.repository, config: {}, script: GOOD_WORK, sink: 'none' },
  );
  const { fact } = plan;
  const lease = { owner: ownOwner(), ttlMs: 600_000 };
  const journal = await RunJournal.create(world.record, plan.runId, fact, lease, (value) => value);
  const { runId } = journal.state;
  const before = { type: 'refused', because: 'already_working', runId };
  expect(await resumeRun(caller, { runId, note: '' })).toEqual({ ...before, isKept: true });
  await world.record.releaseLease(runId, journal.fence);
  expect(await resumeRun(caller, { runId, note: 'in German' })).toEqual({ ...before, isKept: false });
  expect(await world.record.mailbox(runId)).toEqual([]);
  expect((await loadState(world.record, runId)).seq).toBe(journal.state.seq);
});

test('an answer is recorded as the word of the person, and the run goes on by it', async () => {
  const asked = await world.run(WRONG_WORK, 'write a.txt', ASK_AT_ONCE);
  const id = openQuestion(asked)?.question.id ?? '';
  const caller = world.caller();
  // As it is printed: the words of an option name it too.
  const result = await answerQuestion(caller, {
    name: asked.runId,
    option: 'End it for good; the work is kept',
    note: '',
  });
  if (result.type !== 'answered') expect.fail(result.because);
  expect(result.question.id).toBe(id);
  expect(result.before.seq).toBe(asked.seq);
  expect(result.state.life).toMatchObject({ type: 'ended', state: 'abandoned' });
  expect(result.state.questions.at(-1)?.answer).toMatchObject({ option: 'abandon', by: 'ann' });
  const again = await answerQuestion(caller, { name: id, option: 'abandon', note: '' });
  expect(again).toMatchObject({ type: 'refused', because: 'question_closed', name: id });
});

test('work without a proof is accepted by the own words of a person, and by nothing less', async () => {
  const { runId } = await world.run(WRONG_WORK, 'write a.txt', { ...ASK_AT_ONCE, checks: ['false'] });
  const caller = world.caller();
  expect(await acceptRun(caller, { runId, note: '' })).toMatchObject({ because: 'accept_needs_note' });
  const accepted = await acceptRun(caller, { runId, note: 'b.txt is what I meant' });
  expect(accepted).toMatchObject({ type: 'accepted', state: { delivery: { accepted: { by: 'ann' } } } });
});

test('a rescue goes on with the words of a person, and its mission closes with what was learned', async () => {
  const stuck = await world.run(GOOD_WORK, 'write a.txt', ASK_AT_ONCE);
  const { runId } = stuck;
  const caller = world.caller();
  const plan = {
    category: 'missing_context' as const,
    rootCause: 'it was never told the name',
    injection: 'the file is a.txt',
    filesAdded: [],
    specChanges: [],
  };
  const result = await rescueRun(caller, { runId, owner: 'bea', plan, from: '/' });
  if (result.type !== 'rescuing') expect.fail(result.because);
  expect(result.mission).toMatchObject({ id: `${runId}-m1`, owner: 'bea' });
  const closing = { mission: `${runId}-m1`, lessons: [], specChanges: [], reason: '' };
  expect(await closeMission(caller, closing)).toMatchObject({ because: 'mission_owes' });
  expect(await closeMission(caller, { ...closing, mission: `${runId}-m7` })).toMatchObject({
    because: 'unknown_mission',
  });
  const closed = await closeMission(caller, { ...closing, reason: 'a typing error' });
  expect(closed).toMatchObject({ type: 'closed', runId, mission: { enrichmentReason: 'a typing error' } });
  expect(await closeMission(caller, closing)).toMatchObject({ because: 'mission_closed' });
});
