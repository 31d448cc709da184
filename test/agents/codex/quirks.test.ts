import { describe, expect, it } from 'vitest';
import { codexAdapter } from '../../../src/agents/codex/codex-adapter.ts';
import { CODEX_QUIRKS } from './quirks.ts';
import { loadRecording, type Reading, type Recording, readRecording } from '../recording.ts';

type Proof = readonly [recording: string, holds: (recording: Recording, reading: Reading) => boolean];

const retries = ({ entries }: Reading): number => entries.filter(({ type }) => type === 'retry').length;

/** What in a recording shows the quirk, and that the adapter is not fooled by it. */
const PROOFS: Readonly<Record<string, Proof>> = {
  error_item_in_every_run: [
    'ok',
    ({ lines }, { verdict }) => lines.join('').includes('"type": "error"') && verdict.failure === null,
  ],
  no_usage_on_failure: [
    'after_tool_drop',
    ({ requests }, { verdict }) => requests > 1 && verdict.usage === null,
  ],
  usage_counts_the_session: [
    'resume_after_SIGINT',
    // Each of the two requests of this attempt brought about 51 tokens; the attempt before it had made one.
    ({ requests }, { verdict }) => requests === 2 && verdict.usage?.outputTokens === 154,
  ],
  retries_login_failure: ['401', ({ seconds }, reading) => retries(reading) === 5 && seconds < 60],
  sleeps_until_reset: [
    '429_retryafter3600',
    ({ signal }, reading) => retries(reading) === 1 && signal === 'SIGKILL',
  ],
  silent_without_answer: ['stall0', ({ seconds }, reading) => seconds > 1_000 && retries(reading) === 0],
  stall_looks_alive: ['stall', ({ seconds }, reading) => seconds > 1_000 && retries(reading) === 3],
  unbounded_loop: ['loop', ({ requests, signal }) => requests > 100 && signal === 'SIGKILL'],
  wrapper_leaves_agent: ['slowtool_SIGKILL', ({ orphans }) => orphans > 1],
  term_orphans_tools: ['slowtool_SIGTERM', ({ orphans }) => orphans > 0],
};

describe('each quirk of Codex shows in a recording and does not fool the adapter', () => {
  it.each(CODEX_QUIRKS.map(({ code }) => code))('%s', (code) => {
    const [name, holds] = PROOFS[code] as Proof;
    const recording = loadRecording('codex', name);
    expect(holds(recording, readRecording(codexAdapter, recording))).toBe(true);
  });
});

it('of the usage of a resumed session only what this attempt added is counted', () => {
  const line = {
    type: 'turn.completed',
    usage: { input_tokens: 3_000, cached_input_tokens: 900, output_tokens: 154 },
  };
  const before = { inputTokens: 700, outputTokens: 51, cacheReadTokens: 300, cacheWriteTokens: 0 };
  const [used] = codexAdapter.reader([], before).push(JSON.stringify(line), 'stdout', 1);
  expect(used).toMatchObject({
    type: 'usage',
    usage: { inputTokens: 1_400, outputTokens: 103, cacheReadTokens: 600 },
  });
});
