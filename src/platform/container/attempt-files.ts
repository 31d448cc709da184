/** `readNote`, `writeNote`, `writeNoteOnce`: read and write the files in an attempt's directory, and say what each of them holds. */
import type { Startable } from './startable.ts';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { readPlainFile } from '../file/plain-file.ts';
import type { HiddenHome } from './hide-home.ts';
import type { ProcessIdentity } from '../process/process-identity.ts';

/**
 * Each file is written once, complete or not at all, in this order: claim (by the attendant, before it starts the agent), leader (the
 * agent lives), exit (it ended). After a crash a reader finds the first of them or none. The plan holds the agent's environment with
 * its secrets: the attendant deletes it as soon as it has read it.
 */
export const CLAIM_FILE = 'attendant.json';
/** The second claim, for when the attendant of the first claim died before it started anything. There is no third claim. */
export const SECOND_CLAIM_FILE = 'attendant-2.json';
/** In place of the claim's word about hiding, where that did not hold; written before the agent begins. */
export const HIDING_FILE = 'hiding.json';
export const LEADER_FILE = 'leader.json';
export const EXIT_FILE = 'exit.json';
export const STDOUT_FILE = 'stdout';
export const STDERR_FILE = 'stderr';
export const ATTENDANT_LOG_FILE = 'attendant.log';
/** More than enough for identities and an exit status. */
const NOTE_BYTES = 64 * 1024;

export type ContainerLevel = 'cgroup' | 'pid-namespace' | 'process-group';

export interface StartPlan extends Startable {
  readonly attemptDir: string;
  /** `<run>.<attempt>.<random>`: the unique name of this container. */
  readonly marker: string;
  /** Default: the strongest level that this machine offers. */
  readonly level?: ContainerLevel;
  /** Stdout and stderr go to one file in the order they were written. */
  readonly mergeOutput?: boolean;
  /**
   * For checks and other short commands, which must not outlive the process that started them. When that is gone (its stdin reads
   * end-of-file), the attendant ends the container and deletes the directory.
   */
  readonly endsWithStarter?: boolean;
  /** Left out: the program sees Mayday's own folder. */
  readonly hidden?: HiddenHome | undefined;
  /** A secret of the starter and the attendant: so the program cannot write its own exit note. */
  readonly seal?: string;
  /** Left out: the agent may outlive every keeper. */
  readonly lease?: LeaseNote;
}

/** Everything that the attendant needs to know. The starter writes it. */
export interface AttendantPlan extends StartPlan {
  readonly level: ContainerLevel;
  /** The claim that the attendant has to win. */
  readonly claimFile: string;
  /** The PID namespace of the starter. It sees the processes of the attempt, also those in a namespace of their own. */
  readonly seenFrom: string;
}

/** The keeper notes here when it last renewed the lease. An agent whose lease may have run out is ended: another host may have the run. */
export interface LeaseNote {
  /** Holds seconds since the boot of the machine (they go on while it sleeps), as they were when the renewal was asked for. */
  readonly file: string;
  readonly stopMs: number;
}

/** The process that links this file first decides whether the agent is started. A claim without an attendant forbids the start for ever. */
export interface Claim {
  /** The name of the plan file: it tells a starter whether its own attendant won. */
  readonly plan: string;
  readonly marker: string;
  readonly level: ContainerLevel;
  readonly attendant: ProcessIdentity | null;
  /** Whether Mayday's own folder is hidden, or why it is not; absent where it was not wanted. `HIDING_FILE` counts before it. */
  readonly hiding?: HidingNote;
  readonly cgroupPath: string | null;
  readonly oomKillsBefore: number | null;
  readonly at: string;
}

export type HidingNote =
  | {
      readonly type: 'hidden';
      readonly closed?: true;
      readonly isUnlayered?: true;
      readonly isUnscoped?: true;
    }
  | { readonly type: 'shown'; readonly why: string };

export interface LeaderNote {
  readonly leader: ProcessIdentity;
  /** The lock that its processes hold (see witness.ts); absent where there is none. */
  readonly witness?: string;
  readonly at: string;
}

export interface ExitNote {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly at: string;
  /** null: this machine cannot tell. */
  readonly oomKilled: boolean | null;
  readonly seal?: string;
  /** The attendant ended it, because the lease of the run was not renewed. */
  readonly leaseEnded?: true;
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
    // Mayday's notes are complete or absent: another program wrote this one.
    return null;
  }
}

/** `lasts`: also over a power loss. Every note survives the death of any process. */
export function writeNote(attemptDir: string, name: string, value: unknown, lasts = true): void {
  putNote(attemptDir, name, value, renameSync, lasts);
}

/** False if the file existed already. Of several writers exactly one gets true. */
export function writeNoteOnce(attemptDir: string, name: string, value: unknown, lasts = true): boolean {
  try {
    putNote(attemptDir, name, value, linkSync, lasts);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function putNote(
  attemptDir: string,
  name: string,
  value: unknown,
  put: (from: string, to: string) => void,
  lasts: boolean,
): void {
  const temporary = join(attemptDir, `.${name}.${process.pid}.${Math.random().toString(36).slice(2)}`);
  try {
    writeWhole(temporary, value, lasts);
    put(temporary, join(attemptDir, name));
    if (lasts) saveToDisk(attemptDir);
  } finally {
    rmSync(temporary, { force: true });
  }
}

function writeWhole(path: string, value: unknown, lasts: boolean): void {
  const bytes = Buffer.from(`${JSON.stringify(value)}\n`);
  const fd = openSync(path, 'wx', 0o600);
  try {
    // On a full disk a write may be short instead of failing: write on until all bytes are written or it fails.
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    if (lasts) fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** What was written to the file or folder survives a power loss. */
export function saveToDisk(path: string): void {
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
