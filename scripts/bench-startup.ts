/**
 * Everyday speed: start-up of each command against `node -e 0`, memory of `mayday ps` and install size,
 * beside the figures of the last release. `--write` makes today's figures the ones to compare with.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../src/cli/commands.ts';
import { VERSION } from '../src/cli/help.ts';
import { BIN, PACKAGE, peakMb } from './bench-place.ts';

const ROOT = join(import.meta.dirname, '..');
const LAST_RELEASE = join(ROOT, 'bench/last-release.json');
const ROUNDS = 5;
/** Slower than this against the last release is shown as a regression; less is the noise of a shared machine. */
const REGRESSION = 1.25;
/** `mayday ps` is typed all day. */
export const COMMAND_LIMIT = 5;
const MB = 1024 ** 2;
/** These wait, play or follow something; their start-up is that of their neighbours. */
const LONG: ReadonlySet<string> = new Set(['drill', 'attach', 'watch', 'mcp', 'serve', 'work', 'bench']);

export interface StartupBench {
  readonly version: string;
  /** Time of `mayday NAME` over the time of `node -e 0`. */
  readonly startup_ratio: Readonly<Record<string, number>>;
  readonly ps_memory_mb: number;
  readonly install_mb: number;
}

export function benchStartup({
  rounds = ROUNDS,
  only,
}: {
  readonly rounds?: number;
  readonly only?: readonly string[];
} = {}): StartupBench {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-startup-'));
  try {
    const env = { ...process.env, MAYDAY_HOME: join(folder, 'home'), XDG_CACHE_HOME: join(folder, 'cache') };
    execFileSync('git', ['init', '--quiet', folder]);
    const call = (args: readonly string[]) => timed(() => spawn(args, folder, env));
    const calls: readonly (readonly [name: string, args: readonly string[]])[] = [
      ['--version', ['--version']],
      ...COMMANDS.filter(({ name }) => !LONG.has(name)).map(
        ({ name, takes }) => [name, [name, ...['zzzz', '1'].slice(0, takes.min)]] as const,
      ),
    ];
    const wanted = calls.filter(([name]) => only === undefined || only.includes(name));
    const ratios = wanted.map(([name, args]) => {
      call(args);
      // Taken in turn, and the fastest of each: on a shared machine everything slower is somebody else's work.
      const pairs = Array.from({ length: rounds }, () => ({
        ours: call(args),
        bare: timed(() => spawnSync(process.execPath, ['-e', '0'])),
      }));
      const fastest = (which: 'ours' | 'bare') => Math.min(...pairs.map((pair) => pair[which]));
      return [name, round(fastest('ours') / fastest('bare'))] as const;
    });
    return {
      version: VERSION,
      startup_ratio: Object.fromEntries(ratios),
      ps_memory_mb: round(peakMb(['ps'], folder, env)),
      install_mb: installedMegabytes(),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function describeStartup(now: StartupBench, last: StartupBench | null): readonly string[] {
  const rows: readonly (readonly [string, number, number | undefined])[] = [
    ...Object.entries(now.startup_ratio).map(
      ([name, ratio]) => [`mayday ${name} / node -e 0`, ratio, last?.startup_ratio[name]] as const,
    ),
    ['memory of mayday ps (MB)', now.ps_memory_mb, last?.ps_memory_mb],
    ['installed (MB)', now.install_mb, last?.install_mb],
  ];
  return rows.map(([what, value, before]) => {
    const mark = before !== undefined && value > before * REGRESSION ? '   ! regression' : '';
    return `  ${what.padEnd(36)}${value.toFixed(2).padStart(8)}   last release ${(before?.toFixed(2) ?? '-').padStart(6)}${mark}`;
  });
}

export function lastRelease(): StartupBench | null {
  try {
    return JSON.parse(readFileSync(LAST_RELEASE, 'utf8')) as StartupBench;
  } catch {
    return null;
  }
}

function spawn(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  return spawnSync(process.execPath, [BIN, ...args], { cwd, env, input: '' });
}

export function slowestCommand({ startup_ratio }: StartupBench): readonly [string, number] {
  return Object.entries(startup_ratio).toSorted(([, a], [, b]) => b - a)[0] ?? ['none', Number.NaN];
}

/** What `npm install mayday` puts on a disk: the programs with everything they need. */
function installedMegabytes(): number {
  return round(
    ['bin', 'dist', 'drills', 'demo'].reduce((sum, name) => sum + sizeOf(join(PACKAGE, name)), 0) / MB,
  );
}

function sizeOf(path: string): number {
  return globSync('**/*', { cwd: path })
    .map((name) => statSync(join(path, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

function timed(action: () => unknown): number {
  const begun = performance.now();
  action();
  return performance.now() - begun;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

if (import.meta.main) {
  const now = benchStartup();
  for (const line of describeStartup(now, lastRelease())) console.log(line);
  if (process.argv.includes('--write')) writeFileSync(LAST_RELEASE, `${JSON.stringify(now, null, 2)}\n`);
  const [slowest, ratio] = slowestCommand(now);
  console.log(
    `bench:startup: the slowest is mayday ${slowest} with ${ratio.toFixed(2)} times node -e 0 (limit ${COMMAND_LIMIT})`,
  );
  process.exitCode = ratio <= COMMAND_LIMIT ? 0 : 1;
}
