/** `benchStartup`: the command that takes longest to start, against `node -e 0`, and the memory of `mayday ps`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { COMMANDS } from '../src/cli/commands.ts';
import { BIN, peakMb } from './bench-place.ts';

const ROUNDS = 5;
/** These wait, play or follow something; their start-up is that of their neighbours. */
const LONG: ReadonlySet<string> = new Set(['drill', 'attach', 'watch', 'mcp', 'serve', 'work', 'bench']);

export interface StartupBench {
  readonly slowest: string;
  readonly ratio: number;
  readonly psMb: number;
}

export function benchStartup(only?: readonly string[]): StartupBench {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-bench-startup-'));
  try {
    const env = { ...process.env, MAYDAY_HOME: join(folder, 'home'), XDG_CACHE_HOME: join(folder, 'cache') };
    execFileSync('git', ['init', '--quiet', folder]);
    const commands = COMMANDS.filter(({ name }) => only?.includes(name) ?? !LONG.has(name));
    const ratios = commands.map(({ name, takes }) => {
      const args = [BIN, name, ...['zzzz', '1'].slice(0, takes.min)];
      const ours = () => timed(() => spawnSync(process.execPath, args, { cwd: folder, env, input: '' }));
      ours();
      // Taken in turn, and the fastest of each: on a shared machine everything slower is somebody else's work.
      const pairs = Array.from({ length: ROUNDS }, () => [
        ours(),
        timed(() => spawnSync(process.execPath, ['-e', '0'])),
      ]);
      const fastest = (which: 0 | 1) => Math.min(...pairs.map((pair) => pair[which] as number));
      return [name, fastest(0) / fastest(1)] as const;
    });
    const [slowest, ratio] = ratios.toSorted(([, a], [, b]) => b - a)[0] ?? ['none', Number.NaN];
    return { slowest, ratio, psMb: peakMb(['ps'], folder, env) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function timed(action: () => unknown): number {
  const begun = performance.now();
  action();
  return performance.now() - begun;
}
