/** `inForeground`, `runInForeground`: the terminal of the person. */
import { readFileSync } from 'node:fs';
import { spawn } from 'node:child_process';

/**
 * Whether this process may take the keys of its terminal: a job in the background would be stopped when it tries. True where the
 * kernel does not tell.
 */
export function inForeground(): boolean {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [, , processGroup, , , foregroundGroup] = fields;
    return processGroup === foregroundGroup;
  } catch {
    return true;
  }
}

/** Runs one program in the person's own terminal until it ends, and returns its exit status. */
export function runInForeground(argv: readonly string[], cwd: string): Promise<number | null> {
  const [program = '', ...args] = argv;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}
