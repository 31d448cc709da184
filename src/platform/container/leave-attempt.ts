/**
 * `insist`, `leave`, `clearAway`, `endAll`, `killAgent`: how an attendant notes what it knows of its attempt, ends and leaves it.
 *
 * agent ended -> exit noted -> the end; starter gone -> all ended -> cleared away
 */
import { rmSync } from 'node:fs';
import { type AttendantPlan, type ContainerLevel, writeNote } from './attempt-files.ts';
import { cgroupKill, removeCgroup } from './cgroup.ts';
import { identify, selfIdentity } from '../process/process-identity.ts';
import { groupMembers } from './process-group.ts';

/** On a full disk the note is tried again: until a person or Mayday frees space, only the attendant knows how the agent ended. */
const RETRY_NOTE_MS = 1_000;
const CLEAR_EVERY_MS = 50;
/** The kernel may still count the agent as a member for a moment after it ended. */
const LEAVE_TRIES = 2;

/** The attempt of an attendant. */
export interface Running {
  readonly attemptDir: string;
  /** Its notes survive a power loss. */
  readonly notesLast: boolean;
  readonly plan: AttendantPlan;
  readonly cgroupPath: string | null;
  readonly level: ContainerLevel;
  readonly oomKillsBefore: number | null;
  /** The agent's, or that of the words before it; 0: nothing was started. */
  pid: number;
  isOrphan?: boolean;
  leaseEnded?: boolean;
}

/** Writes the note now, or as soon as the disk has room; gives up only when the attempt's directory is gone. */
export function insist(run: Running, name: string, note: unknown, then: () => void = () => {}): void {
  try {
    writeNote(run.attemptDir, name, note, run.notesLast);
    then();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return then();
    setTimeout(() => insist(run, name, note, then), RETRY_NOTE_MS);
  }
}

/** An empty control group is removed at once. If members are left, the keeper ends them and removes the group. */
export function leave(cgroupPath: string | null, triesLeft = LEAVE_TRIES): void {
  if (cgroupPath === null || triesLeft === 0 || removeCgroup(cgroupPath)) process.exit(0);
  setTimeout(() => leave(cgroupPath, triesLeft - 1), CLEAR_EVERY_MS);
}

/** The starter is gone, so no process needs the exit note. The last members may take a moment to die. */
export function clearAway(run: Running): void {
  const { attemptDir, cgroupPath } = run;
  rmSync(attemptDir, { recursive: true, force: true });
  if (cgroupPath === null || removeCgroup(cgroupPath)) process.exit(0);
  setTimeout(() => clearAway(run), CLEAR_EVERY_MS);
}

export function endAll({ attemptDir, plan, cgroupPath, level, pid }: Running): void {
  // When the attendant ends, the kernel ends everything in its namespace.
  if (cgroupPath === null && level === 'pid-namespace') {
    rmSync(attemptDir, { recursive: true, force: true });
    process.exit(0);
  }
  killAgent(plan.marker, cgroupPath, pid);
}

/** Kills the agent of an attendant and all that it started, in one pass. */
export function killAgent(marker: string, cgroupPath: string | null, leaderPid: number): void {
  if (cgroupPath !== null) return cgroupKill(cgroupPath);
  for (const { pid } of groupMembers(marker, selfIdentity(), identify(leaderPid), { readAgain: true }))
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended between the look and the signal.
    }
}
