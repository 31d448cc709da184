import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../file/plain-file.ts';
import type { HiddenHome } from './hide-home.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';

/**
 * What lies in an attempt's directory. Each file is written once, complete or not at all, so that a reader after any crash sees
 * a prefix of: claim (the attendant, before it starts the agent), leader (the agent lives), exit (it ended). The plan holds the
 * agent's environment, secrets among it: the attendant erases it as soon as it has read it.
 */
export const CLAIM_FILE = 'attendant.json';
/** Claimed instead where the attendant of the first claim died before it started anything. There is no third. */
export const SECOND_CLAIM_FILE = 'attendant-2.json';
export const LEADER_FILE = 'leader.json';
export const EXIT_FILE = 'exit.json';
export const STDOUT_FILE = 'stdout';
export const STDERR_FILE = 'stderr';
export const ATTENDANT_LOG_FILE = 'attendant.log';
/** Identities and an exit status. */
const NOTE_BYTES = 64 * 1024;

export type ContainerLevel = 'cgroup' | 'pid-namespace' | 'process-group';

/** Written by the starter; everything the attendant needs to know. */
export interface AttendantPlan {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdinFile: string | null;
  readonly marker: string;
  readonly level: ContainerLevel;
  /** Stdout and stderr go to one file in the order they were written. */
  readonly mergeOutput: boolean;
  /** When its starter is gone (its stdin reads end-of-file) the attendant ends the container and clears the directory away. */
  readonly endsWithStarter: boolean;
  /** Known to the starter and the attendant only: the program that ends cannot write its own exit note. */
  readonly seal: string | null;
  /** Null: the program sees Mayday's own folder. */
  readonly hidden: HiddenHome | null;
  /** Which of the claims the attendant has to win. */
  readonly claimFile: string;
  /** The PID namespace of the starter, which sees the processes of the attempt in whatever namespace they live. */
  readonly seenFrom: string;
}

/** Whoever links this file first decides whether the agent is started. A claim without a process forbids the start for ever. */
export interface Claim {
  /** The plan it was made from: tells a starter whether its own attendant won. */
  readonly plan: string;
  readonly marker: string;
  readonly level: ContainerLevel;
  readonly attendant: ProcessIdentity | null;
  /** The pipe that its processes hold (see witness.ts); absent where there is none. */
  readonly witness?: string;
  /** Whether Mayday's own folder was hidden, or why it was not; absent where it was not wanted. */
  readonly hiding?: HidingNote;
  readonly cgroupPath: string | null;
  readonly oomKillsBefore: number | null;
  readonly at: string;
}

export type HidingNote = { readonly type: 'hidden' } | { readonly type: 'shown'; readonly why: string };

export interface LeaderNote {
  readonly leader: ProcessIdentity;
  readonly at: string;
}

export interface ExitNote {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly at: string;
  /** null: nothing on this machine can tell. */
  readonly oomKilled: boolean | null;
  readonly seal?: string;
  /** The agent could not be started at all. */
  readonly startError: { readonly code: string; readonly message: string } | null;
}

export function hasExitNote(attemptDir: string): boolean {
  return existsSync(join(attemptDir, EXIT_FILE));
}

export function readNote<T>(attemptDir: string, name: string): T | null {
  const path = join(attemptDir, name);
  const read = readPlainFile(path, NOTE_BYTES);
  if (read.type === 'absent') return null;
  if (read.type === 'refused') throw new Error(`${path}: ${read.why}`);
  try {
    return JSON.parse(read.text) as T;
  } catch {
    // Ours are complete or absent: this one is not ours.
    return null;
  }
}

export function writeNote(attemptDir: string, name: string, value: unknown): void {
  const temporary = temporaryName(attemptDir, name);
  try {
    writeDurably(temporary, value);
    renameSync(temporary, join(attemptDir, name));
    syncDirectory(attemptDir);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** False if the file was there already: exactly one of several writers is told true. */
export function writeNoteOnce(attemptDir: string, name: string, value: unknown): boolean {
  const temporary = temporaryName(attemptDir, name);
  try {
    writeDurably(temporary, value);
    linkSync(temporary, join(attemptDir, name));
    syncDirectory(attemptDir);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function temporaryName(attemptDir: string, name: string): string {
  return join(attemptDir, `.${name}.${process.pid}.${Math.random().toString(36).slice(2)}`);
}

function writeDurably(path: string, value: unknown): void {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  const fd = openSync(path, 'wx', 0o600);
  try {
    // A full disk answers with a short write, not with an error: go on until all is there or it fails.
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function syncDirectory(path: string): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

export function spoolPaths(attemptDir: string): { readonly stdout: string; readonly stderr: string } {
  return { stdout: join(attemptDir, STDOUT_FILE), stderr: join(attemptDir, STDERR_FILE) };
}
