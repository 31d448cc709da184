import { describe, expect, it } from 'vitest';
import { type Activity, activityNext, NO_ACTIVITY } from '../../../src/core/view/activity.ts';
import { actOf, actSentence } from '../../../src/core/view/agent-act.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';

const after = (...entries: readonly TranscriptEntry[]): Activity => entries.reduce(activityNext, NO_ACTIVITY);
const call = (id: string, tool: string, input: string): TranscriptEntry => ({
  type: 'tool_call',
  at: 5,
  id,
  tool,
  input,
});
const said = (text: string): TranscriptEntry => ({ type: 'message', at: 5, role: 'agent', text });

describe('what an agent does now', () => {
  it('is the call without a result, by its telling argument, whatever the order of the arguments', () => {
    const { calls } = after(
      call('1', 'Read', '{"file_path":"a.ts"}'),
      { type: 'tool_result', at: 6, id: '1', output: 'x', isError: false },
      call('2', 'Write', '{"content":"a long text","file_path":"b.ts"}'),
      call('3', 'Bash', '{"description":"Run tests","command":"npm test"}'),
      call('4', 'shell', 'make all'),
      call('5', 'think', '{"depth":3}'),
    );
    expect(calls.map(({ words }) => words)).toEqual([
      'Write b.ts',
      'Bash npm test',
      'shell make all',
      'think',
    ]);
  });

  it('says its last sentence; what a person or the system said is not its word', () => {
    const { said: last } = after(said('I read src/a.ts. Then I change the port:\n\nNow the tests!'), {
      type: 'message',
      at: 6,
      role: 'system',
      text: 'Reminder.',
    });
    expect(last).toBe('Now the tests!');
  });

  it('a plain program says the line that it printed last, and an empty line changes nothing', () => {
    const line = (text: string): TranscriptEntry => ({ type: 'output', at: 1, stream: 'stdout', text });
    expect(after(line('compiling b.c'), line('  ')).said).toBe('compiling b.c');
  });

  it('an agent that loses its results does not make the list grow', () => {
    const { calls } = after(...Array.from({ length: 500 }, (_, at) => call(String(at), 'Bash', 'x')));
    expect(calls.length).toBeLessThan(20);
  });
});

describe('the last act of a working agent', () => {
  const LIMITS = { turn: 90_000, program: 300_000, tool: 600_000 };
  const result: TranscriptEntry = { type: 'tool_result', at: 9_000, id: '1', output: 'x', isError: false };
  const told = (entries: readonly TranscriptEntry[], now: number) =>
    actSentence(actOf(after(...entries), 1, LIMITS, true), now);

  it('tells a busy agent from a silent one, with the age of what it did', () => {
    const edit = call('1', 'Edit', '{"file_path":"src/a.ts"}');
    expect(told([edit, result], 12_000)).toBe('edited src/a.ts, 3 s ago');
    expect(told([edit, result], 80_000)).toBe('silent for 1 min 11 s; before that: edited src/a.ts');
    expect(told([edit], 65_005)).toBe('Edit src/a.ts has been running for 1 min 5 s');
    expect(told([edit, result, said('Now the tests!')], 30_005)).toBe(
      'silent for 30 s; before that: Now the tests!',
    );
  });

  it('says what was done, not what the tool is called', () => {
    const did = (tool: string, input: string) => after(call('1', tool, input)).did;
    expect(did('Write', '{"file_path":"b.ts","content":"x"}')).toBe('edited b.ts');
    expect(did('Read', '{"file_path":"a.ts"}')).toBe('read a.ts');
    expect(did('Grep', '{"pattern":"port"}')).toBe('searched port');
    expect(did('Bash', '{"command":"git log -3"}')).toBe('ran git log -3');
    expect(did('mcp_deploy', '{"environment":"test"}')).toBe('used mcp_deploy test');
  });

  it('tells how its last tests went, until others run', () => {
    const tests = call('1', 'Bash', '{"command":"npm test"}');
    const of = (output: string) =>
      told([tests, { type: 'tool_result', at: 9_000, id: '1', output, isError: true }], 12_000);
    const ran = 'ran npm test, 3 s ago';
    expect(of('Test Files  1 failed | 1 passed (2)\n     Tests  1 failed | 2 passed (3)')).toBe(
      `${ran}; at the last run 2 of 3 tests passed`,
    );
    expect(of('  14 passing (30ms)')).toBe(`${ran}; at the last run 14 tests passed`);
    expect(of('  3 failing')).toBe(`${ran}; at the last run 0 of 3 tests passed`);
    const read: TranscriptEntry = { type: 'tool_result', at: 9_500, id: '2', output: 'x', isError: false };
    expect(after(tests, { ...read, id: '1', output: '  14 passing' }, read).tested).toBe('14 tests passed');
    expect(of('no tests found')).toBe(ran);
  });

  it('is heard of when it speaks, not when Mayday looks at its tree', () => {
    const look: TranscriptEntry = { type: 'progress', at: 70_000, kind: 'tree', detail: 'a.ts' };
    expect(after(said('I begin.'), look).heardAt).toBe(5);
  });

  it('has the limit of what it waits for: its model, its tool, or a program without turns', () => {
    const limit = (entries: readonly TranscriptEntry[], speaksTurns: boolean) =>
      actOf(after(...entries), 1, LIMITS, speaksTurns).limit_ms;
    expect(limit([said('I begin.')], true)).toBe(LIMITS.turn);
    expect(limit([said('I begin.')], false)).toBe(LIMITS.program);
    expect(limit([call('1', 'Bash', '{}')], true)).toBe(LIMITS.tool);
  });
});
