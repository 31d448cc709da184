/** `spawnPiped`: starts a program whose standard input and output belong to the caller; what it says on stderr goes where ours goes. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

export type PipedProcess = ChildProcessByStdio<Writable, Readable, null>;

export function spawnPiped(
  [program = '', ...args]: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): PipedProcess {
  return spawn(program, args, { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
}
