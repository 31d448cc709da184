import { describe, expect, it } from 'vitest';
import type { AttemptFacts } from '../../../src/agents/adapter.ts';
import { claudeAdapter } from '../../../src/agents/claude/claude-adapter.ts';
import type { FailureClass } from '../../../src/core/vocabulary/classes/failure-class.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';

const NOW = Date.UTC(2026, 9, 8, 12);
const USAGE = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };

function verdict(entries: readonly TranscriptEntry[], facts: Partial<AttemptFacts> = {}) {
  return claudeAdapter.verdict({
    exitCode: 1,
    signal: null,
    stderrTail: '',
    nowMs: NOW,
    timeZone: 'Europe/Zurich',
    entries,
    ...facts,
  });
}

function result(
  text: string,
  more: Partial<Extract<TranscriptEntry, { type: 'result' }>> = {},
): TranscriptEntry {
  return {
    at: 1,
    type: 'result',
    text,
    isError: false,
    subtype: 'success',
    deniedTools: [],
    usage: USAGE,
    ...more,
  };
}

describe('known texts of a failed result name the class', () => {
  const rows: readonly (readonly [FailureClass, string, number | null])[] = [
    ['rate_limited', "You've hit your limit · resets 3pm (Europe/Zurich)", 429],
    ['rate_limited', 'Claude AI usage limit reached|1791471600', null],
    ['rate_limited', "You've hit your session limit · resets 3pm", null],
    ['auth_failure', 'Invalid API key · Please run /login', null],
    ['auth_failure', 'API Error: 403 {"error":{"message":"forbidden"}}', 403],
    ['auth_failure', 'OAuth token has expired. Please obtain a new token', null],
    ['budget_exhausted', 'Credit balance is too low', 400],
    ['overloaded', 'API Error: 502 Bad gateway', 502],
    ['context_overflow', 'Prompt is too long', 400],
    ['context_overflow', 'API Error: 413 Request too large', 413],
    [
      'session_corrupt',
      'API Error: 400 messages.3: `tool_use` ids were found without `tool_result` blocks',
      400,
    ],
    [
      'model_refusal',
      'API Error: Claude Code is unable to respond to this request, which appears to violate our Usage Policy',
      null,
    ],
    ['network_failure', 'API Error: Connection error.', null],
    ['network_failure', 'API Error: Unable to connect to API (ENOTFOUND)', null],
    ['timeout', 'API Error: Request timed out.', null],
    ['unknown', 'Something never seen', null],
  ];
  for (const [kind, text, status] of rows)
    it(`${kind}: ${text}`, () => {
      const errors: TranscriptEntry[] = status === null ? [] : [{ at: 1, type: 'error', text, status }];
      const found = verdict([...errors, result(text, { isError: true })]);
      expect(found).toMatchObject({ claimsDone: false, failure: { class: kind, status } });
      expect(found.failure?.evidence).toContain(text);
    });
});

describe('the end is judged by what is known, not by the exit code', () => {
  it('a limit carries its reset time', () => {
    const text = "You've hit your limit · resets 3pm (Europe/Zurich)";
    const { failure } = verdict([result(text, { isError: true })]);
    expect(failure?.retryAt).toBe(Date.UTC(2026, 9, 8, 13));
    expect(failure, 'told by the hour').not.toHaveProperty('retryExactToMs');
  });

  it('the exact reset of the limit event outranks nothing later than it', () => {
    const info = 'usage limit five_hour: {"status":"rejected","resetsAt":1791471630}';
    const found = verdict([
      { at: 1, type: 'error', text: info, status: 429 },
      result("You've hit your limit · resets 5pm (Europe/Zurich)", { isError: true }),
    ]);
    expect(found.failure).toMatchObject({ retryAt: 1791471630_000, retryExactToMs: 5_000 });
  });

  it('an error that the agent got over is no failure', () => {
    const entries: TranscriptEntry[] = [
      { at: 1, type: 'error', text: 'API Error: 529 Overloaded', status: 529 },
      { at: 2, type: 'message', role: 'agent', text: 'Going on.' },
      result('Done.'),
    ];
    expect(verdict(entries, { exitCode: 0 })).toMatchObject({ claimsDone: true, failure: null });
  });

  it('a denied call after which the agent found an allowed way is no failure, but is reported', () => {
    const entries: TranscriptEntry[] = [
      { at: 1, type: 'tool_result', id: 'a', output: 'denied', isError: true },
      { at: 2, type: 'tool_result', id: 'b', output: 'written', isError: false },
      result('Done.', { deniedTools: ['Bash(rm -rf x)'] }),
    ];
    expect(verdict(entries, { exitCode: 0 })).toMatchObject({
      failure: null,
      deniedTools: ['Bash(rm -rf x)'],
    });
  });

  it('"done" without a token of output is a false success', () => {
    const silent = result('', { usage: { ...USAGE, outputTokens: 0 } });
    expect(verdict([silent], { exitCode: 0 }).failure?.class).toBe('false_success');
  });

  it('a good result outranks the signal that ended a process which would not go', () => {
    expect(verdict([result('Done.')], { exitCode: null, signal: 'SIGTERM' })).toMatchObject({
      claimsDone: true,
      failure: null,
    });
  });

  it.each([
    ['No conversation found with session ID: 1234', 'session_corrupt'],
    ['error: unknown option --settings', 'environment'],
    ['Invalid API key · Please run /login', 'auth_failure'],
    ['Segmentation fault', 'unknown'],
  ])('without a result, stderr "%s" is %s', (stderrTail, kind) => {
    const found = verdict([], { stderrTail });
    expect(found.failure?.class).toBe(kind);
    expect(found.failure?.evidence).toEqual([stderrTail]);
  });

  it('an interrupt is an interrupt, whatever stood on stderr before', () => {
    const stderrTail = 'API Error: 529 Overloaded';
    expect(verdict([], { exitCode: 130, stderrTail }).failure?.class).toBe('interrupted');
    expect(verdict([], { exitCode: null, signal: 'SIGKILL', stderrTail }).failure?.class).toBe('crashed');
  });
});
