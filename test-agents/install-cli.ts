/** `installCli`: a pinned agent CLI in a folder of its own that git ignores; installed once. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AgentCli } from './agent-cli.ts';

const AGENTS = resolve(import.meta.dirname, '../.agents');
/** 350 MB over a slow line. */
const INSTALL_TIMEOUT_MS = 600_000;

/** The path of the program. Throws with npm's own words when it cannot be installed. */
export function installCli({
  title,
  package: name,
  version,
  adapter,
  program: programName = adapter.name,
}: Pick<AgentCli, 'title' | 'package' | 'version' | 'adapter' | 'program'>): string {
  const folder = join(AGENTS, `${adapter.name}-${version}`);
  const program = join(folder, 'node_modules/.bin', programName);
  if (installedVersion(folder, name) === version && existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ private: true, dependencies: { [name]: version } })}\n`,
  );
  const { status, stderr } = spawnSync('npm', ['install', '--no-audit', '--no-fund', '--no-package-lock'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (status !== 0 || !existsSync(program))
    throw new Error(`${title} ${version} could not be installed: ${stderr.trim().slice(-600)}`);
  return program;
}

function installedVersion(folder: string, name: string): string | null {
  try {
    const path = join(folder, 'node_modules', name, 'package.json');
    return (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
  } catch {
    return null;
  }
}
