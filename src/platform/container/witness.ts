/**
 * `holdWitness`, `askWitness`: a lock on the output files of an attempt, which its attendant and its agent hold as long as they live. The
 * lock belongs to the opened file that the agent has as its standard output, so the agent needs no file handle for it. The kernel frees it
 * when the last holder ends, and tells every process on the same kernel whether it is held, in any PID namespace: so the lock proves life
 * or death to a keeper that cannot see the processes. Programs that the agent starts hold it too while they have its standard output.
 */
import { spawnSync } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { lookOrNull } from '../file/vanished.ts';
import { systemProgram } from '../process/system-program.ts';
import { spoolPaths } from './attempt-files.ts';

/** `flock` takes milliseconds, on an overloaded machine seconds; without it the attempt runs without a witness. */
const LOCK_TIMEOUT_MS = 60_000;
const IS_HELD = 9;

/** Locks the open files. Distinguishes them from those in a copy of the folder; null where the machine or the file system has no locks. */
export function holdWitness([stdout, stderr]: readonly [number, number]): string | null {
  if (lock(stdout, '--exclusive') !== 0 || (stderr !== stdout && lock(stderr, '--exclusive') !== 0))
    return null;
  return inode(stdout);
}

/** `held`: a process of the attempt lives. `free`: attendant and agent have ended. `unknown`: these are not the files. */
export function askWitness(attemptDir: string, witness: string): 'held' | 'free' | 'unknown' {
  const { stdout, stderr } = spoolPaths(attemptDir);
  const files = [stdout, stderr].flatMap((path) => lookOrNull(() => openSync(path, 'r')) ?? []);
  try {
    const [first] = files;
    if (first === undefined || inode(first) !== witness) return 'unknown';
    const answers = files.map((file) => lock(file, '--shared'));
    if (answers.includes(IS_HELD)) return 'held';
    return answers.every((status) => status === 0) ? 'free' : 'unknown';
  } finally {
    for (const file of files) closeSync(file);
  }
}

/** Those who ask do not hinder each other. */
function lock(file: number, kind: '--exclusive' | '--shared'): number | null {
  const args = ['--nonblock', '--conflict-exit-code', String(IS_HELD), kind, '3'];
  const stdio = ['ignore', 'ignore', 'ignore', file] as const;
  return spawnSync(systemProgram('flock'), args, { stdio: [...stdio], timeout: LOCK_TIMEOUT_MS }).status;
}

function inode(file: number): string {
  return String(fstatSync(file, { bigint: true }).ino);
}
