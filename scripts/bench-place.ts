/**
 * What is measured: the package as it is published (`BIN`), and the peak of memory of one of its commands (`peakMb`). Where whole runs are
 * measured: a repository and a home of their own.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundlePackage } from './bundle-package.ts';

export const PACKAGE = await bundlePackage();
export const BIN = join(PACKAGE, 'bin/mayday.js');
const TELL_PEAK = join(import.meta.dirname, 'tell-peak.cjs');

export interface BenchPlace {
  readonly folder: string;
  readonly repository: string;
  readonly env: NodeJS.ProcessEnv;
}

const POLICY = 'policy: {restarts: 20, restarts_total: 20, backoff_ms: 10, backoff_max_ms: 10}\n';

export async function inBenchPlace<T>(use: (place: BenchPlace) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-run-'));
  const repository = join(folder, 'repository');
  const home = join(folder, 'home');
  try {
    mkdirSync(home);
    writeFileSync(join(home, 'mayday.yaml'), POLICY);
    const git = (...args: string[]) => spawnSync('git', args, { cwd: repository });
    spawnSync('git', ['init', '--quiet', repository]);
    writeFileSync(join(repository, 'README.md'), 'x\n');
    git('add', '.');
    git('-c', 'user.name=b', '-c', 'user.email=b@b', 'commit', '--quiet', '-m', 'x');
    return await use({ folder, repository, env: { ...process.env, MAYDAY_HOME: home } });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] as number;
}

/** In a process of its own, because a peak never falls. */
export function peakMb(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): number {
  const { output } = spawnSync(process.execPath, ['--require', TELL_PEAK, BIN, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  return Number(output[3]) / 1024;
}
