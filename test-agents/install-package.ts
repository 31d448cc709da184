/** `installPackage`: one pinned npm package in a folder of its own that git ignores; installed once. Returns its `node_modules`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const AGENTS = resolve(import.meta.dirname, '../.agents');
/** 450 MB over a slow line. */
const INSTALL_TIMEOUT_MS = 600_000;

export function installPackage(name: string, version: string, flags: readonly string[] = []): string {
  const folder = join(AGENTS, `${name.replace(/^@/, '').replaceAll('/', '-')}-${version}`);
  const modules = join(folder, 'node_modules');
  if (installedVersion(join(modules, name)) === version) return modules;
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    `${JSON.stringify({ private: true, dependencies: { [name]: version } })}\n`,
  );
  const args = ['install', '--no-audit', '--no-fund', '--no-package-lock', ...flags];
  const stdio: ['ignore', 'ignore', 'pipe'] = ['ignore', 'ignore', 'pipe'];
  const { stderr } = spawnSync('npm', args, {
    cwd: folder,
    encoding: 'utf8',
    timeout: INSTALL_TIMEOUT_MS,
    stdio,
  });
  if (installedVersion(join(modules, name)) !== version)
    throw new Error(`${name} ${version} could not be installed: ${stderr.trim().slice(-600)}`);
  return modules;
}

function installedVersion(folder: string): string | null {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null;
}
