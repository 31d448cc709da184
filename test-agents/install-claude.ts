/** Pinned Claude Code versions, each in a folder of its own that git ignores; installed once. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const AGENTS = resolve(import.meta.dirname, '../.agents');
/** 350 MB over a slow line. */
const INSTALL_TIMEOUT_MS = 600_000;

/** The path of the program. Throws with npm's own words when it cannot be installed. */
export function installClaude(version: string): string {
  const folder = join(AGENTS, `claude-${version}`);
  const program = join(folder, 'node_modules/.bin/claude');
  if (installedVersion(folder) === version && existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ private: true, dependencies: { '@anthropic-ai/claude-code': version } })}\n`,
  );
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0 || !existsSync(program))
    throw new Error(`Claude Code ${version} could not be installed: ${stderr.trim().slice(-600)}`);
  return program;
}

function installedVersion(folder: string): string | null {
  try {
    const path = join(folder, 'node_modules/@anthropic-ai/claude-code/package.json');
    return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  } catch {
    return null;
  }
}
