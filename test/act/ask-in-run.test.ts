import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { materialMark } from '../../src/agents/opinion/material-mark.ts';
import { type OpinionQuestion, promptOf } from '../../src/core/opinion/opinion-question.ts';
import { readForm, sentence } from '../../src/core/opinion/reply.ts';
import type { RunState } from '../../src/core/state/run-state.ts';
import { step } from '../../src/core/step.ts';
import type { OpinionChoice } from '../../src/core/vocabulary/opinion.ts';
import type { Fact } from '../../src/core/vocabulary/events/event.ts';
import { askInRun } from '../../src/act/ask-in-run.ts';
import { temporaryDirectory } from '../temporary-directory.ts';
import { Story } from '../core/story.ts';

beforeEach(() => {
  vi.stubEnv('TMPDIR', temporaryDirectory());
  return () => vi.unstubAllEnvs();
});

const TOKEN = `ghp_${'A1b2'.repeat(9)}`;

function questionAbout(text: string): OpinionQuestion<{ cause: string }> {
  return {
    kind: 'diagnose',
    prompt: promptOf({
      task: ['Why?'],
      facts: [],
      material: [{ title: 'output', text }],
      form: ['  "cause": "a sentence"'],
      mark: materialMark(text),
    }),
    check: (reply) => {
      const answer = readForm(reply, { cause: sentence(100) });
      return typeof answer === 'string' ? answer : { answer, quotes: [], checked: [], confidence: 0.5 };
    },
  };
}

/** A run whose facts are folded as in a keeper. */
function runWith(opinion: OpinionChoice | undefined, policy: Partial<RunState['policy']> = {}) {
  const home = temporaryDirectory();
  let { state } = new Story().prepared().started();
  state = {
    ...state,
    options: { ...state.options, ...(opinion === undefined ? {} : { opinion }) },
    policy: { ...state.policy, hide_home: 0, ...policy },
  };
  const context = {
    home,
    state,
    env: process.env,
    signal: new AbortController().signal,
    now: () => Date.now(),
    journal: {
      state: () => state,
      submit: async (fact: Fact) => {
        state = step(state, fact)?.state ?? expect.fail('the fact was not accepted');
      },
    },
  };
  return {
    home,
    opinions: () => state.opinions,
    ask: async (text = 'it broke') => await askInRun(context, questionAbout(text)),
  };
}

/** A program that keeps what it is asked, and answers. */
function program(answer = '{"cause":"no disk"}'): { choice: OpinionChoice; kept: string } {
  const folder = temporaryDirectory();
  const kept = join(folder, 'prompt.txt');
  writeFileSync(join(folder, 'answer.txt'), answer);
  return {
    choice: { type: 'command', line: `cat > ${kept}; echo noise >&2; cat ${folder}/answer.txt` },
    kept,
  };
}

it('a program is asked on its standard input; its answer and what it was are on the journal at once', async () => {
  const { choice } = program();
  const run = runWith(choice);
  expect(await run.ask()).toMatchObject({
    outcome: { type: 'answered', opinion: { by: 'command', answer: { cause: 'no disk' } } },
  });
  expect(run.opinions()).toMatchObject([
    { attempt: 1, promptHash: expect.stringMatching(/^[0-9a-f]{64}$/), outcome: { type: 'answered' } },
  ]);
});

it('the same question has the answer that it had, and is not paid for again', async () => {
  const run = runWith(program().choice);
  const first = await run.ask();
  expect(await run.ask()).toEqual(first);
  await run.ask('something else');
  expect(run.opinions()).toHaveLength(2);
});

it('the model sees no secret, and the marks around the material stay', async () => {
  const { choice, kept } = program();
  const text = `the token is ${TOKEN}`;
  await runWith(choice).ask(text);
  const prompt = readFileSync(kept, 'utf8');
  expect(prompt).not.toContain(TOKEN);
  expect(prompt).toContain('[redacted:');
  expect(prompt.split(materialMark(text)).length).toBeGreaterThan(3);
});

it('no more questions are asked than the policy allows, and none where the money is spent', async () => {
  const { choice } = program();
  const run = runWith(choice, { opinion_questions: 1 });
  await run.ask();
  expect(await run.ask('and again')).toEqual({
    outcome: null,
    why: 'the run has asked 1 questions, as many as opinion_questions allows',
  });
  expect((await runWith(choice, { opinion_cost_usd: 0 }).ask()).outcome).toBeNull();
});

it.each<[string, OpinionChoice | undefined, RegExp]>([
  ['nobody configured', undefined, /no model is asked/],
  [
    'a key that is not set',
    {
      type: 'http',
      protocol: 'openai',
      url: 'http://127.0.0.1:1',
      model: 'm',
      keyVariable: 'NO_SUCH_KEY_HERE',
    },
    /NO_SUCH_KEY_HERE/,
  ],
  [
    'an agent without such a part',
    { type: 'agent', name: 'rehearsal', command: [], model: null },
    /cannot be asked/,
  ],
])('with %s nothing is asked, and the reason is told', async (_, choice, why) => {
  const run = runWith(choice);
  const asked = await run.ask();
  expect(asked.outcome).toBeNull();
  expect(asked.why).toMatch(why);
  expect(run.opinions()).toEqual([]);
});

it.each([
  ['prints nothing', 'echo no login >&2; exit 3', /no output, exit code 3: no login/],
  ['never ends', 'sleep 60', /no answer within 0.3 s/],
  ['floods', 'yes', /no answer within 0.3 s/],
  ['answers something else', 'echo fine', /refused/],
])('a program that %s leaves the run as it is, with the reason on the journal', async (_, line, reason) => {
  const run = runWith(
    { type: 'command', line },
    { opinion_ms: reason.source.includes('0.3') ? 300 : 20_000 },
  );
  expect((await run.ask()).outcome).toMatchObject({
    type: 'unanswered',
    reason: expect.stringMatching(reason),
  });
  expect(run.opinions()).toHaveLength(1);
  await vi.waitFor(
    () => expect(readdirSync(tmpdir())).not.toContainEqual(expect.stringMatching(/^mayday-opinion-/)),
    20_000,
  );
});
