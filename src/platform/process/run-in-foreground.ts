/** `runInForeground`: runs one program in the person's own terminal until it ends, and returns its exit status. */
import { spawn } from 'node:child_process';

export function runInForeground(argv: readonly string[], cwd: string): Promise<number | null> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}
