import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentEnvironment } from '../../../src/platform/process/environment.ts';

const root = resolve(import.meta.dirname, '../../..');

describe('what an agent finds in its environment', () => {
  it('is what any program needs, and nothing that happens to lie around', () => {
    const env = {
      HOME: '/home/a',
      LC_ALL: 'C',
      XDG_CONFIG_HOME: '/c',
      https_proxy: 'http://p',
      AWS_SECRET_ACCESS_KEY: 'secret',
      NODE_OPTIONS: '--require evil',
      LD_PRELOAD: 'evil.so',
      GITHUB_TOKEN: 'secret',
      npm_config_x: '1',
      UNSET: undefined,
    };
    expect(agentEnvironment(env)).toEqual({
      HOME: '/home/a',
      LC_ALL: 'C',
      XDG_CONFIG_HOME: '/c',
      https_proxy: 'http://p',
    });
  });

  it('holds what the task or the adapter names, by name or by prefix', () => {
    const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'u', GITHUB_TOKEN: 't', OTHER: 'o' };
    expect(agentEnvironment(env, ['ANTHROPIC_*', 'GITHUB_TOKEN'])).toEqual({
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: 'u',
      GITHUB_TOKEN: 't',
    });
  });

  it('never holds what is Mayday’s own, even when it is named', () => {
    const env = { MAYDAY_STORE: 'postgres://u:password@h', MAYDAY_HOME: '/m', MAYDAY_MARKER: 'outer' };
    expect(agentEnvironment(env, ['MAYDAY_*', 'MAYDAY_STORE', '*'])).toEqual({});
  });
});

describe('the PATH of an agent', () => {
  const pathFor = (folders: string[], more: Record<string, string> = {}): string[] =>
    agentEnvironment({ PATH: folders.join(':'), ...more })['PATH']?.split(':') ?? [];

  it('leaves out Mayday’s own programs and the Node that came with it', () => {
    const own = join(root, 'node_modules/.bin');
    const node = dirname(process.execPath);
    const kept = pathFor([own, node, '/usr/local/bin', '/usr/bin']);
    expect(kept).not.toContain(own);
    if (node.includes('node_modules')) expect(kept).not.toContain(node);
    expect(kept.slice(-2)).toEqual(['/usr/local/bin', '/usr/bin']);
  });

  it('leaves out what npm put in front, and keeps what the person put there', () => {
    const folders = [
      '/home/a/project/node_modules/.bin',
      '/home/node_modules/.bin',
      '/usr/lib/node_modules/npm/node_modules/@npmcli/run-script/lib/node-gyp-bin',
      '/home/a/bin',
      '/home/a/tools/node_modules/.bin',
      '/usr/bin',
    ];
    const byPerson = ['/home/a/bin', '/home/a/tools/node_modules/.bin', '/usr/bin'];
    expect(pathFor(folders, { npm_lifecycle_event: 'demo' })).toEqual(byPerson);
    expect(pathFor(['/home/a/project/node_modules/.bin', '/usr/bin'])).toEqual([
      '/home/a/project/node_modules/.bin',
      '/usr/bin',
    ]);
  });
});
