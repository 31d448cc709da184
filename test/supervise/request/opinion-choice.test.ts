import { describe, expect, it } from 'vitest';
import { opinionOf } from '../../../src/supervise/request/opinion-choice.ts';
import { parseConfig } from '../../../src/supervise/request/read-config.ts';

const plain = { name: 'command', command: ['make'], model: null };
const http = 'opinion: {provider: openai, url: http://127.0.0.1:9, model: m, key_variable: K}';
const asked = async (yaml: string, wish?: string) =>
  opinionOf(wish, await parseConfig(yaml, 'mayday.yaml'), plain);

describe('who is asked', () => {
  it.each([
    ['', 'command:llm -m small', { type: 'command', line: 'llm -m small' }],
    ['', 'none', { type: 'none' }],
    ['', undefined, { type: 'none' }],
    ['opinion: "command:llm"', undefined, { type: 'command', line: 'llm' }],
    ['opinion: {command: llm}', undefined, { type: 'command', line: 'llm' }],
    ['opinion: {command: llm}', 'none', { type: 'none' }],
    [
      http,
      undefined,
      { type: 'http', protocol: 'openai', url: 'http://127.0.0.1:9', model: 'm', keyVariable: 'K' },
    ],
    [
      http,
      'openai',
      { type: 'http', protocol: 'openai', url: 'http://127.0.0.1:9', model: 'm', keyVariable: 'K' },
    ],
  ])('of %j with the wish %j is %j', async (yaml, wish, choice) => {
    expect(await asked(yaml, wish)).toEqual(choice);
  });

  it.each([
    ['', 'gpt'],
    ['', 'openai'],
    ['', 'rehearsal'],
    ['', 'command: '],
    ['opinion: nobody-here', undefined],
  ])('of %j with the wish %j is a typed error', async (yaml, wish) => {
    await expect(asked(yaml, wish)).rejects.toMatchObject({ code: 'WRONG_OPINION' });
  });
});
