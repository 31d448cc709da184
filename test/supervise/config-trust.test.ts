import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadRunConfig } from '../../src/supervise/config-trust.ts';

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

const HTTP = 'recovery: {provider: openai, url: "http://model.example", model: m, key_variable: SOME_KEY}\n';

describe('a cloned repository', () => {
  it('cannot have its failures shown to a model with your key before you trust it', async () => {
    await expect(load(HTTP)).rejects.toMatchObject({
      code: 'CONFIG_NOT_TRUSTED',
      advice: expect.arrayContaining([
        ['it wants', 'recovery agent at http://model.example with the key in SOME_KEY'],
      ]) as unknown,
    });
    expect((await load(HTTP, true)).recovery).toMatchObject({ provider: 'openai' });
    expect((await load(HTTP)).recovery).toMatchObject({ provider: 'openai' });
    await expect(load(HTTP.replace('model.example', 'other.example'))).rejects.toMatchObject({
      code: 'CONFIG_NOT_TRUSTED',
    });
  });

  it('cannot name the program that is asked about failures', async () => {
    await expect(load('recovery: {provider: claude, command: [./mine]}\n')).rejects.toMatchObject({
      code: 'CONFIG_NOT_TRUSTED',
    });
    expect((await load('recovery: {provider: claude}\n', true)).recovery).toEqual({ provider: 'claude' });
  });

  it('is told which provider of recovery there is not', async () => {
    await expect(load('recovery: {provider: oracle}\n', true)).rejects.toThrow(/recovery/);
  });
});
