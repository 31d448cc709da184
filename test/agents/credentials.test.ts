import { describe, expect, it } from 'vitest';
import { documentedVariables, likelyNeeded, withheldVariables } from '../../src/agents/credentials.ts';
import type { AgentChoice } from '../../src/core/vocabulary/events/event.ts';

const running = (...command: string[]): AgentChoice => ({ name: 'command', command, model: null });
const ENV = {
  OPENAI_API_KEY: 'a',
  GEMINI_API_KEY: 'b',
  GITHUB_TOKEN: 'c',
  HOME: '/h',
  EDITOR: 'vi',
  EMPTY_TOKEN: '',
};

describe('variables that a program looks for and is not given', () => {
  it.each([
    [['codex', 'exec', 'x']],
    [['/opt/bin/codex', 'exec']],
    [['npx', '-y', '@openai/codex@0.166.0', 'exec']],
    [['sh', '-c', 'cat - | codex exec']],
    [['env', 'RUST_LOG=1', 'codex']],
  ])('%j is Codex, which reads OPENAI_API_KEY', (command) => {
    expect(withheldVariables(ENV, running(...command), [])).toEqual(['OPENAI_API_KEY']);
  });

  it('is nothing once it is passed, by name or by prefix', () => {
    expect(withheldVariables(ENV, running('codex'), ['OPENAI_API_KEY'])).toEqual([]);
    expect(likelyNeeded(ENV, running('codex'), ['OPENAI_*'])).toEqual([]);
  });

  it('for an unknown program, what looks like a login at the start, and what it names itself at a failure', () => {
    const agent = running('my-agent');
    expect(likelyNeeded(ENV, agent, [])).toEqual(['GEMINI_API_KEY', 'GITHUB_TOKEN', 'OPENAI_API_KEY']);
    expect(withheldVariables(ENV, agent, [])).toEqual([]);
    expect(withheldVariables(ENV, agent, [], 'error: GITHUB_TOKEN is not set')).toEqual(['GITHUB_TOKEN']);
    expect(withheldVariables(ENV, agent, [], 'MY_GITHUB_TOKEN_2 and EDITOR')).toEqual([]);
    const own = { ...ENV, MY_AGENT_API_KEY: 'x', MY_AGENT_COLOR: 'red' };
    expect(withheldVariables(own, agent, [])).toEqual(['MY_AGENT_API_KEY']);
  });
});

describe('what an agent of the configuration gets by default', () => {
  it('is the login that its program documents', () => {
    expect(documentedVariables(['codex', 'exec'])).toContain('CODEX_API_KEY');
    expect(documentedVariables(['/usr/bin/gemini'])).toContain('GOOGLE_API_KEY');
    expect(documentedVariables(['make'])).toEqual([]);
    expect(documentedVariables(['constructor'])).toEqual([]);
  });

  it('is nothing for a program of the repository that only has the name', () => {
    expect(documentedVariables(['./codex'])).toEqual([]);
    expect(documentedVariables(['tools/codex'])).toEqual([]);
  });
});
