import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadRunConfig } from '../../../src/supervise/request/config-trust.ts';

let home: string;
let repository: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mayday-trust-home-'));
  repository = await mkdtemp(join(tmpdir(), 'mayday-trust-repo-'));
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
  await rm(repository, { recursive: true, force: true });
});

async function load(yaml: string, trust = false) {
  await writeFile(join(repository, 'mayday.yaml'), yaml);
  return await loadRunConfig({ home, repository, trust });
}

const HTTP = 'opinion: {provider: openai, url: "http://model.example", model: m, key_variable: SOME_KEY}\n';

describe('a cloned repository', () => {
  it('cannot have its failures shown to a model with your key before you trust it', async () => {
    await expect(load(HTTP)).rejects.toMatchObject({
      code: 'CONFIG_NOT_TRUSTED',
      advice: expect.arrayContaining([
        ['happened', 'it wants: opinion at http://model.example with the key in SOME_KEY'],
      ]) as unknown,
    });
    expect((await load(HTTP, true)).opinion).toMatchObject({ provider: 'openai' });
    expect((await load(HTTP)).opinion).toMatchObject({ provider: 'openai' });
    await expect(load(HTTP.replace('model.example', 'other.example'))).rejects.toMatchObject({
      code: 'CONFIG_NOT_TRUSTED',
    });
  });

  it('cannot name the program that is asked about failures', async () => {
    await expect(load('opinion: {agent: claude, command: [./mine]}\n')).rejects.toMatchObject({
      code: 'CONFIG_NOT_TRUSTED',
    });
    expect((await load('opinion: claude\n', true)).opinion).toBe('claude');
  });

  it.each([
    'sink: "dir:.git"',
    'copy: [.env]',
    'agent: claude',
    'fallbacks: [claude]',
    'agents: {mine: {command: [./mine]}}',
    'checks: [./check]',
    'setup: ./setup',
    'node_modules: link',
    'environment: [TOKEN]',
    'permissions: [all]',
    'patterns: []',
    'policy: {explore_confirm: 0}',
    'policy: {rescue_at_deadline: 1}',
    'policy: {quarantine_ms: 0}',
  ])('cannot bring `%s` before you trust it', async (line) => {
    await expect(load(`${line}\n`)).rejects.toMatchObject({ code: 'CONFIG_NOT_TRUSTED' });
    await load(`${line}\n`, true);
    expect(Object.keys(await load(`${line}\n`))).toContain(line.split(':')[0]);
  });

  it.each([
    'scope: [src/**]',
    'budget: {usd: 3}',
    'policy: {silence_ms: 60000, restarts: 1, timeout_ms: 60000}',
    'agent_policy: {claude: {loop_stop: 4}}',
    'classes: {test_failure: {first_phase: 3}}',
  ])('may bring the harmless `%s` without a word of yours', async (line) => {
    expect(Object.keys(await load(`${line}\n`))).toContain(line.split(':')[0]);
  });

  it('cannot raise the budget that you set for yourself', async () => {
    await writeFile(join(home, 'mayday.yaml'), 'budget: {usd: 2, time: 1h}\n');
    expect((await load('budget: {usd: 50, tokens: 9, time: 3h}\n')).budget).toEqual({
      usd: 2,
      tokens: 9,
      time: '1h',
    });
    expect((await load('budget: {usd: 1, time: 30m}\n')).budget).toEqual({ usd: 1, time: '30m' });
  });

  it('that was trusted for its checks alone is still trusted', async () => {
    const hash = createHash('sha256').update('{"checks":["npm test"]}').digest('hex');
    await writeFile(join(home, 'trusted-configurations.json'), JSON.stringify([hash]));
    expect((await load('checks: [npm test]\nbudget: {usd: 1}\n')).checks).toEqual(['npm test']);
  });

  it('is told that `recovery:` is `opinion:` now', async () => {
    await expect(load('recovery: {provider: claude}\n', true)).rejects.toMatchObject({
      code: 'WRONG_CONFIG',
      message: expect.stringMatching(/:1: recovery: this key is `opinion:` now/) as string,
    });
  });
});
