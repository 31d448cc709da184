import { expect, it } from 'vitest';
import { AGENT_NAMES, findAdapter } from '../../src/agents/registry.ts';
import type { AttemptFacts } from '../../src/agents/adapter.ts';

const adapter = findAdapter('command') ?? expect.fail('the command adapter is registered');

function verdict(facts: Partial<AttemptFacts>) {
  return adapter.verdict({
    exitCode: 0,
    signal: null,
    entries: [],
    stderrTail: '',
    nowMs: 0,
    timeZone: 'UTC',
    ...facts,
  });
}

it('every line of any program is kept as output, by stream', () => {
  const reader = adapter.reader();
  expect(reader.push('{"type":"result"}', 'stdout', 1)).toEqual([
    { at: 1, type: 'output', stream: 'stdout', text: '{"type":"result"}' },
  ]);
  expect(reader.push('oops', 'stderr', 2)).toEqual([
    { at: 2, type: 'output', stream: 'stderr', text: 'oops' },
  ]);
});

it('exit code 0 is a claim; codes and signals say how it ended', () => {
  expect(verdict({})).toMatchObject({ claimsDone: true, failure: null });
  expect(verdict({ exitCode: 3, stderrTail: 'a\nb' })).toMatchObject({
    claimsDone: false,
    failure: { class: 'unknown', evidence: ['a', 'b'] },
  });
  expect(verdict({ exitCode: 143 }).failure?.class).toBe('interrupted');
  expect(verdict({ exitCode: null, signal: 'SIGHUP' }).failure?.class).toBe('interrupted');
  expect(verdict({ exitCode: 137 }).failure?.class).toBe('crashed');
  expect(verdict({ exitCode: null, signal: 'SIGSEGV' }).failure?.class).toBe('crashed');
});

it('an agent with an unknown name is not found', () => {
  expect(findAdapter('nobody')).toBeNull();
  expect(AGENT_NAMES).toContain('claude');
});
