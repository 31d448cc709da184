/** What there is of the work: what changed, what was checked, what is saved. */

/** Of a runner's own summary line. */
export interface TestCounts {
  readonly total: number;
  readonly failed: number;
}

export interface PartialWork {
  readonly created: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  readonly completed: readonly string[];
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
  /** Of the tree it ran in. */
  readonly tree: string;
  /** `base`: the candidate with the base's versions of test files the task does not own; `composed`: merged with the moved target. */
  readonly variant: 'candidate' | 'base' | 'composed';
  /** In the `base` variant: what is as before the work. */
  readonly asBefore?: readonly string[];
  /** Files of the tree that were changed while it ran. */
  readonly disturbed?: readonly string[];
  /** Tests that ran, as the runner itself counts them; null or absent: it does not say. */
  readonly tests?: TestCounts | null;
  /** Before the work: it could not even start, and no work can change that. */
  readonly cannotRun?: CannotRun;
  /** 1, 2, 3... where a failing check was run again; every run is kept. */
  readonly run?: number;
}

export interface CannotRun {
  readonly program: string;
  /** It is there, and cannot be executed. */
  readonly isThere: boolean;
  /** What git ignores, and a workspace therefore lacks: the program, or the folder that holds it. */
  readonly folder: string | null;
  /** The person's checkout has that folder. */
  readonly inCheckout: boolean;
  /** What would make a fresh checkout usable, as the project's files tell. */
  readonly setup: string | null;
}

export interface UnsavedFile {
  readonly path: string;
  readonly why: string;
  /** No part of the work: a session file, a socket, or a file that was missing before the work and is unchanged. */
  readonly beside?: true;
}

export interface CheckpointFact {
  readonly number: number;
  readonly state: 'complete' | 'partial' | 'failed';
  readonly tree: string;
  readonly commit: string;
  readonly missing: readonly UnsavedFile[];
  /** More than those listed. */
  readonly moreMissing?: number;
  readonly reason: string;
}
