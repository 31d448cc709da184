/** One program with the person's own terminal, until it ends. Its exit status is its own affair. */
import { spawn } from 'node:child_process';

export function runInForeground(argv: readonly string[], cwd: string): Promise<number | null> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}
