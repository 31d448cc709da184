/** A person at a terminal: the real command line on a pseudo-terminal, answered when it asks. */
import { spawn, spawnSync } from 'node:child_process';
import type { Box } from './box.ts';

export interface Typed {
  /** What must be on the screen first. */
  readonly asked: string;
  readonly typed: string;
  /** What happens elsewhere at that moment. */
  readonly meanwhile?: (processId: number) => void;
}

export interface Terminal {
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** util-linux has it, on every Debian. */
export const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux') === true;
export const END_OF_INPUT = '\u0004';
/** A test that waits for what never comes ends; a loaded machine is far below. */
const LIMIT_MS = 120_000;

export async function atTerminal(
  box: Box,
  args: readonly string[],
  dialogue: readonly Typed[],
  { env = {}, columns = 80, rows = 24 }: Terminal = {},
): Promise<{ readonly exitCode: number | null; readonly screen: string }> {
  const quoted = [process.execPath, box.bin, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`);
  const command = `stty cols ${columns} rows ${rows}; echo process $$; exec ${quoted.join(' ')}`;
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd: box.repository,
    env: { ...process.env, MAYDAY_HOME: box.home, SHELL: '/bin/sh', TERM: 'dumb', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: LIMIT_MS,
  });
  let screen = '';
  let seen = 0;
  const left = [...dialogue];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    for (let next = left[0]; next !== undefined; next = left[0]) {
      const at = screen.indexOf(next.asked, seen);
      if (at === -1) return;
      seen = at + next.asked.length;
      left.shift();
      next.meanwhile?.(Number(/^process (\d+)/.exec(screen)?.[1]));
      child.stdin.write(next.typed);
    }
  });
  const exitCode = await new Promise<number | null>((settle) => child.once('close', settle));
  return { exitCode, screen };
}
