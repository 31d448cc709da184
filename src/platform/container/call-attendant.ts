/**
 * `callAttendant`, `dismissAttendant`: an attendant process that waits for its plan, and letting one go that gets none. Node starts more
 * slowly than a plan is made: the attendant loads meanwhile. One without a plan has claimed nothing, and ends when its starter lets it
 * go or ends.
 */
import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { ATTENDANT_LOG_FILE, CLAIM_FILE, type AttendantPlace, type ContainerLevel } from './attempt-files.ts';
import { cgroupName, cgroupPathFor, removeCgroup } from './cgroup.ts';
import { bestLevel, prefixFor } from './container-level.ts';
import { takeSpare } from './spare-attendants.ts';
import { hasEnded, startAttendant, type StartedAttendant } from './start-attendant.ts';
import { removeWitness } from './witness.ts';

export interface WaitingAttendant extends StartedAttendant {
  readonly attemptDir: string;
  readonly level: ContainerLevel;
  /** The control group that it enters while it waits, where that is known here. */
  readonly cgroupPath: string | null;
}

/**
 * `level`: default the strongest that this machine offers. Null: the machine does not offer it. `marker`: where that of the plan is known
 * already, the attendant enters its control group while it waits.
 */
export async function callAttendant(
  attemptDir: string,
  level?: ContainerLevel,
  marker?: string,
): Promise<WaitingAttendant | null> {
  const chosen = level ?? (await bestLevel());
  const prefix = await prefixFor(chosen);
  if (prefix === null) return null;
  mkdirSync(attemptDir, { recursive: true, mode: 0o700 });
  const group = chosen === 'cgroup' && marker !== undefined ? cgroupName(marker) : '';
  const place: AttendantPlace = [attemptDir, group];
  const started = takeSpare(prefix, place) ?? startIn(prefix, place);
  const cgroupPath = group === '' || prefix.length > 0 ? null : cgroupPathFor('', group);
  return { ...started, attemptDir, level: chosen, cgroupPath };
}

function startIn(prefix: readonly string[], [attemptDir, group]: AttendantPlace): StartedAttendant {
  const log = openSync(join(attemptDir, ATTENDANT_LOG_FILE), 'a', 0o600);
  try {
    return startAttendant(prefix, [attemptDir, '', group], log);
  } finally {
    closeSync(log);
  }
}

/** Many times what a process takes to end. */
const LEFT_MS = 100;

/** An attendant that has its plan goes on, unless the plan says that it ends with its starter. */
export function dismissAttendant(attendant: WaitingAttendant): void {
  attendant.child.stdin?.end();
  const { attemptDir, cgroupPath } = attendant;
  if (!hasEnded(attendant)) return;
  if (!existsSync(join(attemptDir, CLAIM_FILE))) removeWitness(attemptDir);
  if (cgroupPath === null) return;
  // What one that was killed left in its group ends with it, in a moment; a group with an agent in it stays.
  if (!removeCgroup(cgroupPath)) setTimeout(() => removeCgroup(cgroupPath), LEFT_MS).unref();
}
