import { expect, it } from 'vitest';
import { attemptKnowledge } from '../../../src/act/attempt/attempt-knowledge.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';

const said = (text: string): TranscriptEntry => ({ type: 'message', role: 'agent', at: 1, text });
const call = (id: string, tool: string, input: string): TranscriptEntry => ({
  type: 'tool_call',
  at: 1,
  id,
  tool,
  input,
});
const result = (id: string, output: string, isError: boolean): TranscriptEntry => ({
  type: 'tool_result',
  at: 1,
  id,
  output,
  isError,
});

it('keeps decisions, rejected ways, failed calls, open items and last words', () => {
  const todos = JSON.stringify({
    todos: [
      { content: 'read the code', status: 'completed' },
      { content: 'write the parser', status: 'pending' },
    ],
  });
  const known = attemptKnowledge([
    said('I looked at the code. I will use the streaming parser because files are large.'),
    call('1', 'Bash', 'npm run gen'),
    result('1', 'begin\nError: schema missing\nend', true),
    said('A regular expression does not work for nested quotes.'),
    call('2', 'TodoWrite', todos),
    said('Next I write the parser.'),
  ]);
  expect(known).toEqual({
    lastWords: 'Next I write the parser.',
    decided: ['I will use the streaming parser because files are large.'],
    rejected: ['A regular expression does not work for nested quotes.'],
    failedCalls: [{ call: 'Bash npm run gen', result: 'Error: schema missing' }],
    open: ['write the parser'],
  });
});

it('a call that succeeded later did not fail', () => {
  const entries = [
    call('1', 'Bash', 'npm test'),
    result('1', 'FAIL', true),
    call('2', 'Bash', 'npm test'),
    result('2', 'ok', false),
  ];
  expect(attemptKnowledge(entries).failedCalls).toEqual([]);
});

it('an agent that said nothing leaves nothing', () => {
  expect(attemptKnowledge([])).toEqual({
    lastWords: null,
    decided: [],
    rejected: [],
    failedCalls: [],
    open: [],
  });
});

it('takes nothing of what the agent was told for its own words, where a program prints its input', () => {
  const brief =
    'Fix add.js.\n- Instead of the files, where you have them: the tools of the MCP server mayday.\n';
  const lines = [...brief.split('\n'), 'I changed the sign.'];
  const printed = lines.map((text): TranscriptEntry => ({ type: 'output', stream: 'stdout', at: 1, text }));
  expect(attemptKnowledge(printed, brief)).toMatchObject({ decided: [], lastWords: 'I changed the sign.' });
  expect(attemptKnowledge(printed.slice(0, -1), brief).lastWords).toBeNull();
});

it('reads the lines of a program that has no messages: what it printed is what it said', () => {
  const printed = (text: string): TranscriptEntry => ({ type: 'output', stream: 'stdout', at: 1, text });
  const known = attemptKnowledge([
    printed('Reading the files.'),
    printed('I tried to collapse the dashes, but that did not work.'),
    { type: 'output', stream: 'stderr', at: 1, text: 'npm notice' },
    printed('The trailing dash is left.'),
    printed(''),
  ]);
  expect(known.rejected).toEqual(['I tried to collapse the dashes, but that did not work.']);
  expect(known.lastWords).toBe('The trailing dash is left.');
  expect(attemptKnowledge([said('I say this.'), printed('noise')]).lastWords).toBe('I say this.');
});
