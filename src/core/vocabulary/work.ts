/** `PartialWork`, `CheckResult`, `CheckpointFact`: the state of the work: what changed, what was checked, what is saved. */
import type { Diagnosis } from './diagnosis.ts';

/** The counts in the runner's own summary line. */
export interface TestCounts {
  readonly total: number;
  readonly failed: number;
}

export interface PartialWork {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  readonly completed: readonly string[];
  /** What the agent says is still to do, and files that it claims to have made but that do not exist. */
  readonly missing: readonly string[];
  readonly delivered: boolean;
}

export interface CheckResult {
  readonly command: string;
  readonly exitCode: number | null;
  readonly passed: boolean;
  readonly timedOut: boolean;
  readonly durationMs: number;
  readonly outputHash: string;
  readonly outputTail: string;
  /** The line of `outputTail` that names the cause of a failure, where a recogniser knows one. */
  readonly causeLine?: string;
  /** The diagnosis of a failure that surely lies on this machine and needs a person. */
  readonly needsPerson?: Diagnosis;
  /** The hash of the tree in which it ran. */
  readonly tree: string;
  /**
   * `base`: the candidate with the base's versions of test files that the task does not own. `composed`: merged with the moved target.
   */
  readonly variant: 'candidate' | 'base' | 'composed';
  /** In the `base` variant: the files that are as before the work. */
  readonly asBefore?: readonly string[];
  /** What changed under it: files of the tree while it ran, and `outside`. */
  readonly disturbed?: readonly string[];
  /** Programs, modules and settings of the person that changed after the run began, before this check or while it ran. */
  readonly outside?: { readonly before: readonly string[]; readonly during: readonly string[] };
  /** The tests that ran, as the runner counts them; null or absent if it does not say. */
  readonly tests?: TestCounts | null;
  /** Before the work: the files of the tree that it read, as `packPaths` makes them; absent: it was not observed. */
  readonly read?: readonly string[];
  /** The check could not even start before the work, and no work can change that. */
  readonly cannotRun?: CannotRun;
  /** 1, 2, 3... if a failing check was run again. Every run is kept. */
  readonly run?: number;
}

export interface CannotRun {
  readonly program: string;
  /** The program exists, but cannot be executed. */
  readonly isThere: boolean;
  /** The path that git ignores and that a workspace therefore lacks: the program, or the folder that holds it. */
  readonly folder: string | null;
  /** The person's checkout has that folder. */
  readonly inCheckout: boolean;
  /** The command that makes a fresh checkout usable, according to the project's files. */
  readonly setup: string | null;
  readonly barred?: BarredPath;
}

/** A place outside of the tree that the user of the check may not enter or execute. */
export interface BarredPath {
  /** Null: the user that Mayday itself is. */
  readonly user: string | null;
  /** The topmost folder that may not be entered, or `needs` itself. */
  readonly path: string;
  /** The file that the program needs: itself, what its links lead to, or its interpreter. */
  readonly needs: string;
}

export interface UnsavedFile {
  readonly path: string;
  readonly why: string;
  /** Not a part of the work: a session file, a socket, or a file that was missing before the work and is unchanged. */
  readonly beside?: true;
}

export interface CheckpointFact {
  readonly number: number;
  readonly state: 'complete' | 'partial' | 'failed';
  readonly tree: string;
  readonly commit: string;
  readonly missing: readonly UnsavedFile[];
  /** How many files beyond those listed. */
  readonly moreMissing?: number;
  readonly reason: string;
}
