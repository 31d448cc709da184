import { describe, expect, it } from 'vitest';
import { DEFAULT_POLICY, withPolicy } from '../../../src/core/vocabulary/policy.ts';
import { changedAlarms, type PastAttempt } from '../../../src/core/replay/changed-alarms.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';

const SECOND = 1_000;
const START = 1_000_000;

/** Entries a second apart, each call answered at once. */
function calls(times: number, from = START): TranscriptEntry[] {
  return Array.from({ length: times }, (_, index): TranscriptEntry[] => [
    { type: 'tool_call', at: from + 2 * index * SECOND, id: `c${index}`, tool: 'bash', input: 'make' },
    {
      type: 'tool_result',
      at: from + (2 * index + 1) * SECOND,
      id: `c${index}`,
      output: 'no rule',
      isError: true,
    },
  ]).flat();
}

function attempt(entries: readonly TranscriptEntry[], more: Partial<PastAttempt> = {}): PastAttempt {
  const endedAt = (entries.at(-1)?.at ?? START) + SECOND;
  return { startedAt: START, endedAt, isCommand: false, scope: [], signals: [], entries, ...more };
}

const message = (at: number): TranscriptEntry => ({ type: 'message', at, role: 'agent', text: `at ${at}` });

describe('alarms under other thresholds', () => {
  it('are not looked for where no threshold of detection changed', () => {
    const other = withPolicy(DEFAULT_POLICY, { restarts: 1 });
    expect(changedAlarms(attempt(calls(9)), DEFAULT_POLICY, other)).toBeNull();
  });

  it('a lower limit adds the alarm at the step that tips it', () => {
    const other = withPolicy(DEFAULT_POLICY, { loop_stop: 3 });
    const change = changedAlarms(attempt(calls(4)), DEFAULT_POLICY, other);
    expect(change?.added).toMatchObject([{ type: 'looping', at: START + 5 * SECOND }]);
  });

  it('a higher limit drops the alarm that was raised, and only that', () => {
    const entries = calls(6);
    const strict = withPolicy(DEFAULT_POLICY, { loop_stop: 3 });
    const raised = changedAlarms(attempt(entries), DEFAULT_POLICY, strict)?.added[0];
    if (raised === undefined) throw new Error('the strict policy raises an alarm');
    const lax = withPolicy(DEFAULT_POLICY, { loop_stop: 50, stale_stop: 50, cycle_turns: 50 });
    const change = changedAlarms(attempt(entries, { signals: [raised] }), strict, lax);
    expect(change?.dropped(raised)).toBe(true);
    expect(change?.dropped({ ...raised, type: 'frozen' })).toBe(false);
  });

  it('progress that was seen between the calls keeps them from being a loop', () => {
    const other = withPolicy(DEFAULT_POLICY, { loop_stop: 3 });
    const moved: TranscriptEntry = { type: 'progress', at: START + 3_500, kind: 'tree', detail: 'a.txt' };
    const entries = [...calls(3), moved].toSorted((a, b) => a.at - b.at);
    expect(changedAlarms(attempt(entries), DEFAULT_POLICY, other)?.added).toEqual([]);
  });

  it('a silence longer than the other limit is an alarm', () => {
    const entries = [message(START), message(START + 80 * SECOND)];
    const other = withPolicy(DEFAULT_POLICY, { silence_ms: 30 * SECOND });
    const change = changedAlarms(attempt(entries), DEFAULT_POLICY, other);
    expect(change?.added).toMatchObject([{ type: 'stalled', severity: 'critical' }]);
    expect(change?.added[0]?.at).toBeLessThan(START + 33 * SECOND);
  });

  it('a silence that was left alone under its own limit was busy, and is left alone under any', () => {
    const entries = [message(START), message(START + 200 * SECOND)];
    const other = withPolicy(DEFAULT_POLICY, { silence_ms: 30 * SECOND });
    expect(changedAlarms(attempt(entries), DEFAULT_POLICY, other)?.added).toEqual([]);
  });

  it('a program that speaks no protocol has a limit of its own', () => {
    const entries = [message(START), message(START + 100 * SECOND)];
    const other = withPolicy(DEFAULT_POLICY, { command_silence_ms: 50 * SECOND });
    const change = (isCommand: boolean) =>
      changedAlarms(attempt(entries, { isCommand }), DEFAULT_POLICY, other);
    expect(change(true)?.added).toMatchObject([{ type: 'stalled' }]);
    expect(change(false)).toBeNull();
  });
});
