/**
 * `npm run test:agents`: the pinned agent CLIs, installed once in a folder of their own, against the scripted model
 * server: first each adapter with the bare CLI, then every kind of trouble, bare beside supervised.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { KNOWN_VERSIONS } from '../src/agents/claude/quirks.ts';
import { installClaude } from '../test-agents/install-claude.ts';

const root = resolve(import.meta.dirname, '..');
for (const version of KNOWN_VERSIONS)
  console.log(`test:agents: Claude Code ${version} at ${installClaude(version)}`);
const { status } = spawnSync('vitest', ['run', '--config', 'test-agents/vitest.config.ts'], {
  cwd: root,
  stdio: ['ignore', 'inherit', 'inherit'],
});
console.log(
  `test:agents: ${status === 0 ? 'passed' : 'failed'} with Claude Code ${KNOWN_VERSIONS.join(' and ')}`,
);
process.exit(status ?? 1);
