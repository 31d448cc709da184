import { describe, expect, it } from 'vitest';
import { agentAsks } from '../../../src/act/attempt/agent-asks.ts';
import type { TranscriptEntry } from '../../../src/core/vocabulary/transcript.ts';

const said = (text: string): TranscriptEntry => ({ type: 'message', role: 'agent', at: 1, text });
const final = (text: string): TranscriptEntry => ({
  type: 'result',
  at: 1,
  text,
  isError: false,
  subtype: 'success',
  deniedTools: [],
});
const asks = (text: string, changed = false) => agentAsks([final(text)], changed)?.text ?? null;

describe('the last words of an agent that asks', () => {
  it.each([
    'Which database should I use, Postgres or SQLite?',
    'I read the code.\n\nShould the endpoint return 404 or 403 for a missing login?\n\n1. 404\n2. 403',
    'Before I begin: do you want the old format kept?',
    'I need your permission to run `npm publish`.',
    'Please confirm that I may delete the legacy folder.',
    'The change needs write access to /etc. I am waiting for your approval.',
    'Could you provide the API key for the staging server?',
  ])('are a question: %j', (text) => {
    expect(asks(text)).toBe(text);
  });

  it.each([
    'Done. All tests pass.',
    'What went wrong? The parser dropped a quote, so I fixed it and added a test.',
    'I answered the question "is it safe?" in the docs.',
    'Implemented the endpoint. Let me know if you have questions.',
    'I added https://example.org/?a=1 to the list.',
    '',
  ])('are none: %j', (text) => {
    expect(asks(text)).toBeNull();
  });

  it('an offer after finished work is no question; the same words without any work are one', () => {
    const text = 'The endpoint is implemented and done. Would you like me to add more tests?';
    expect(asks(text, true)).toBeNull();
    expect(asks(text, false)).toBe(text);
  });

  it('of a program without messages are its last line', () => {
    const line = (text: string): TranscriptEntry => ({ type: 'output', stream: 'stdout', at: 1, text });
    expect(agentAsks([line('reading'), line('Which branch should I use?')], false)?.text).toBe(
      'Which branch should I use?',
    );
    expect(agentAsks([line('Is this ok?'), line('wrote a.txt')], false)).toBeNull();
  });
});

describe('a tool that asks a person', () => {
  const input = JSON.stringify({
    questions: [{ question: 'Which store?', options: [{ label: 'Postgres' }, { label: 'SQLite' }] }],
  });
  const call: TranscriptEntry = { type: 'tool_call', at: 1, id: '1', tool: 'AskUserQuestion', input };
  const refused: TranscriptEntry = {
    type: 'tool_result',
    at: 1,
    id: '1',
    output: 'not available',
    isError: true,
  };

  it('is heard, with its options, although it is disabled', () => {
    expect(agentAsks([call, refused, final('I could not ask, so I stop.')], false)).toEqual({
      text: 'Which store?',
      options: ['Postgres', 'SQLite'],
    });
  });

  it('is not heard any more when the agent went on working', () => {
    const edit: TranscriptEntry = {
      type: 'tool_call',
      at: 1,
      id: '2',
      tool: 'Edit',
      input: '{"file_path":"a"}',
    };
    expect(agentAsks([call, refused, said('I decide myself.'), edit, final('Done.')], true)).toBeNull();
  });
});
