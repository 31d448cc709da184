/** An attempt that was stopped as looping is explained by the model of the run, if it has one. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { explainStop } from '../../../src/act/attempt/examine-attempt.ts';
import type { Attempt, RunState } from '../../../src/core/state/run-state.ts';
import { step } from '../../../src/core/step.ts';
import type { Fact } from '../../../src/core/vocabulary/events/event.ts';
import { failedCall, transcript } from '../../core/detect/transcript-builder.ts';
import { Story } from '../../core/story.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

beforeEach(() => {
  vi.stubEnv('TMPDIR', temporaryDirectory());
  return () => vi.unstubAllEnvs();
});

const ENTRIES = transcript([
  { say: 'Make it build.', role: 'person' },
  ...Array.from({ length: 8 }, () => failedCall('./build', 'ld: cannot find -lfoo')),
]);
const ANSWER = {
  stuck: 'stuck',
  since_entry: 1,
  cause: 'the library foo is not installed',
  next_step: 'install foo, or build without it',
  quotes: [{ entry: 2, text: 'ld: cannot find -lfoo' }],
  claims: [],
  confidence: 0.9,
};

async function explained(change: Partial<Attempt>, hasModel = true, times = 1) {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'answer.json'), JSON.stringify(ANSWER));
  let { state }: { state: RunState } = new Story().prepared().started();
  const opinion = { type: 'command', line: `cat ${folder}/answer.json` } as const;
  state = {
    ...state,
    options: { ...state.options, ...(hasModel ? { opinion } : {}) },
    policy: { ...state.policy, hide_home: 0 },
  };
  const context = {
    home: temporaryDirectory(),
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
  const attempt = { ...(state.attempts[0] as Attempt), endedBy: 'mayday' as const, ...change };
  for (let time = 0; time < times; time++) await explainStop(context, attempt, ENTRIES);
  return state.opinions.map(({ outcome }) => outcome);
}

const stoppedAs = (failureClass: 'looping' | 'stalled' | 'timeout') => ({
  stoppedFor: { class: failureClass, reason: 'seen from outside' },
});

it('its cause and next step are in the record, with the quotations that hold', async () => {
  expect(await explained(stoppedAs('looping'))).toMatchObject([
    {
      type: 'answered',
      opinion: { kind: 'story', by: 'command', answer: { cause: ANSWER.cause }, quotes: ANSWER.quotes },
    },
  ]);
});

it('one end is asked about once', async () => {
  expect(await explained(stoppedAs('stalled'), true, 2)).toHaveLength(1);
});

it('nothing is asked about another end, of an attempt that ended by itself, or without a model', async () => {
  expect(await explained(stoppedAs('timeout'))).toEqual([]);
  expect(await explained({ ...stoppedAs('looping'), endedBy: null })).toEqual([]);
  expect(await explained(stoppedAs('looping'), false)).toEqual([]);
});
