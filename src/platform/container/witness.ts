/**
 * `holdWitness`, `askWitness`: a named pipe that the attendant and the agent of an attempt hold open as long as they live. The kernel
 * closes it when they end, however they end. Every process on the same kernel can ask whether it is held, in any PID namespace: so the
 * pipe proves life or death to a keeper that cannot see the processes. Programs that the agent starts may inherit it; then it also
 * proves that one of them lives.
 */
import { systemProgram } from '../process/system-program.ts';
import { spawnSync } from 'node:child_process';
import { closeSync, constants, lstatSync, openSync, readSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { lookOrNull } from '../file/vanished.ts';

const WITNESS_FILE = 'witness';
/** `mkfifo` takes milliseconds, on an overloaded machine seconds; without it the attempt runs without a witness. */
const MAKE_TIMEOUT_MS = 60_000;

export interface HeldWitness {
  /** The file descriptor that the agent inherits. */
  readonly file: number;
  /** Distinguishes this pipe from one in a copy of the folder. */
  readonly inode: string;
}

/** Makes the pipe and holds it; null where the machine or the file system has no pipes. */
export function holdWitness(attemptDir: string): HeldWitness | null {
  const path = witnessPath(attemptDir);
  if (pipeInode(path) === null)
    spawnSync(systemProgram('mkfifo'), ['-m', '600', path], { stdio: 'ignore', timeout: MAKE_TIMEOUT_MS });
  const inode = pipeInode(path);
  if (inode === null) return null;
  // Opened for reading and writing: for writing alone, opening would fail without a reader.
  return { file: openSync(path, constants.O_RDWR | constants.O_NONBLOCK), inode };
}

export function witnessPath(attemptDir: string): string {
  return join(attemptDir, WITNESS_FILE);
}

/** `held`: a process of the attempt lives. `free`: attendant and agent have ended. `unknown`: this pipe does not exist. */
export function askWitness(attemptDir: string, inode: string): 'held' | 'free' | 'unknown' {
  const path = witnessPath(attemptDir);
  if (pipeInode(path) !== inode) return 'unknown';
  const file = lookOrNull(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK));
  if (file === null) return 'unknown';
  try {
    return readSync(file, Buffer.alloc(1)) === 0 ? 'free' : 'held';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 'held';
    throw error;
  } finally {
    closeSync(file);
  }
}

/** A pipe without a holder would block a program that reads it, such as a backup: so it is removed. */
export function removeWitness(attemptDir: string): void {
  const path = witnessPath(attemptDir);
  if (pipeInode(path) !== null) rmSync(path, { force: true });
}

function pipeInode(path: string): string | null {
  const stats = lookOrNull(() => lstatSync(path, { bigint: true }));
  return stats?.isFIFO() ? String(stats.ino) : null;
}
