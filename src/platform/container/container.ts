/** `startContained`, `findAttempt`, `forbidStart`, `release`: start an attempt's agent in a container, find, forbid and free it. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ATTENDANT_LOG_FILE,
  CLAIM_FILE,
  type Claim,
  EXIT_FILE,
  type ExitNote,
  HIDING_FILE,
  type HidingNote,
  LEADER_FILE,
  type LeaderNote,
  readNote,
  SECOND_CLAIM_FILE,
  type StartPlan,
  STDOUT_FILE,
  writeNoteOnce,
} from './attempt-files.ts';
import { removeCgroup } from './cgroup.ts';
import type { ContainerHandle } from './container-handle.ts';
import { hasEnded, type Launched, launchAttendant } from './launch-attendant.ts';
import { MaydayError } from '../mayday-error.ts';
import { readProcess } from '../process/proc-table.ts';
import {
  bootId,
  identify,
  isAlive,
  isDead,
  lookAt,
  type ProcessIdentity,
  seenFromHere,
} from '../process/process-identity.ts';
import { assertStartable, notStarted } from './startable.ts';

/** An attendant claims within 100 ms, on an overloaded machine within a minute. After this time the start is forbidden. */
const CLAIM_TIMEOUT_MS = 300_000;
const POLL_MS = 2;

/**
 * Starts the agent of an attempt, at most once ever for one attempt directory: the attendant that claims the directory first wins, and
 * a second call gets the handle of the first.
 */
export async function startContained(plan: StartPlan, signal?: AbortSignal): Promise<ContainerHandle> {
  assertStartable(plan);
  mkdirSync(plan.attemptDir, { recursive: true, mode: 0o700 });
  const earlier = await findAttempt(plan.attemptDir);
  if (earlier !== null && !startedNothing(plan.attemptDir)) return earlier;
  for (let isLast = false; ; isLast = true) {
    signal?.throwIfAborted();
    const claimFile = startedNothing(plan.attemptDir) ? SECOND_CLAIM_FILE : CLAIM_FILE;
    const launched = await launchAttendant(plan, claimFile);
    if (launched === null)
      throw notStarted(plan, `this machine offers no container of level ${plan.level ?? 'any'}`);
    const handle = await awaitStart(plan, launched, isLast);
    if (handle !== null) return handle;
  }
}

/** Whether the first claim's attendant died before it started the agent: it opens the agent's output before that, and no output exists. */
function startedNothing(attemptDir: string): boolean {
  const first = readNote<Claim>(attemptDir, CLAIM_FILE)?.attendant ?? null;
  // After a power failure a file that was not yet on disk may be missing: then a missing file proves nothing.
  if (first === null || first.bootId !== bootId() || !isDead(lookAt(first))) return false;
  const traces = [SECOND_CLAIM_FILE, LEADER_FILE, EXIT_FILE, STDOUT_FILE];
  return traces.every((name) => !existsSync(join(attemptDir, name)));
}

function winningClaim(attemptDir: string): Claim | null {
  const second = readNote<Claim>(attemptDir, SECOND_CLAIM_FILE);
  return second !== null && second.attendant !== null ? second : readNote<Claim>(attemptDir, CLAIM_FILE);
}

/** The container that an earlier starter left, or null if no attendant has claimed this attempt (yet: see forbidStart). */
export async function findAttempt(attemptDir: string): Promise<ContainerHandle | null> {
  const claim = winningClaim(attemptDir);
  if (claim === null || claim.attendant === null) return null;
  return handleFrom(attemptDir, claim);
}

/**
 * For the attempt of a starter that died before it recorded a handle: after this call the attempt either has a handle, or can never
 * start, even if a slow attendant has yet to claim it.
 */
export async function forbidStart(attemptDir: string): Promise<ContainerHandle | null> {
  mkdirSync(attemptDir, { recursive: true, mode: 0o700 });
  const claim: Claim = {
    plan: '',
    marker: '',
    level: 'process-group',
    attendant: null,
    cgroupPath: null,
    oomKillsBefore: null,
    at: new Date().toISOString(),
  };
  writeNoteOnce(attemptDir, CLAIM_FILE, claim);
  if (startedNothing(attemptDir)) writeNoteOnce(attemptDir, SECOND_CLAIM_FILE, claim);
  return await findAttempt(attemptDir);
}

/** Removes the empty container from the machine. False while a process still lives inside. */
export function release(handle: ContainerHandle): boolean {
  return handle.cgroupPath === undefined || removeCgroup(handle.cgroupPath);
}

/** Null: the attendant was killed before it started anything, and may be launched once more. */
async function awaitStart(
  plan: StartPlan,
  launched: Launched,
  isLast: boolean,
): Promise<ContainerHandle | null> {
  const { failure } = launched;
  const deadline = performance.now() + CLAIM_TIMEOUT_MS;
  const isThere = (name: string) => existsSync(join(plan.attemptDir, name));
  const end = () => hasEnded(launched);
  for (;;) {
    // Asked a hundred times until there is something to read.
    while (!isThere(LEADER_FILE) && !isThere(EXIT_FILE) && !end() && performance.now() <= deadline)
      await sleep(POLL_MS);
    const exit = readNote<ExitNote>(plan.attemptDir, EXIT_FILE);
    if (exit?.startError) throw notStarted(plan, exit.startError.message, exit.startError.code);
    const isKnown = exit !== null || readNote(plan.attemptDir, LEADER_FILE) !== null;
    const claimed = await findAttempt(plan.attemptDir);
    // Another starter may have won the claim: then this one waits for the other's attendant.
    const isOver = end();
    const isComing = claimed === null ? !isOver : isAlive(claimed.attendant);
    // If this starter's own attendant lost, it must be gone first: it could still win if another process deleted the directory.
    const isOurs = winningClaim(plan.attemptDir)?.plan === launched.plan;
    if (isKnown && isOurs && claimed !== null) return claimed;
    if ((isKnown && (isOurs || isOver)) || (!isComing && isOver) || performance.now() > deadline) {
      const wasKilled = isOver && failure() === undefined && !isComing;
      if (!isLast && wasKilled && (claimed === null || startedNothing(plan.attemptDir))) return null;
      const handle = await forbidStart(plan.attemptDir);
      if (handle !== null) return handle;
      throw notStarted(plan, failure()?.message ?? attendantLog(plan.attemptDir));
    }
    await sleep(POLL_MS);
  }
}

function handleFrom(attemptDir: string, claim: Claim): ContainerHandle {
  const inner = claim.attendant;
  if (inner === null) throw new MaydayError('ATTEMPT_FORBIDDEN', 'this attempt was never allowed to start');
  const attendant = asSeen(inner);
  const note = readNote<LeaderNote>(attemptDir, LEADER_FILE);
  const hiding = readNote<HidingNote>(attemptDir, HIDING_FILE) ?? claim.hiding;
  const first =
    claim.level === 'pid-namespace' && typeof seenFromHere(attendant) !== 'string'
      ? parentOf(attendant)
      : null;
  return {
    level: claim.level,
    marker: claim.marker,
    attendant,
    leader: note === null ? null : asSeen(note.leader),
    ...(first === null ? {} : { first }),
    ...(claim.cgroupPath === null ? {} : { cgroupPath: claim.cgroupPath }),
    ...(hiding === undefined ? {} : { hiding }),
    ...(note?.witness === undefined ? {} : { witness: note.witness }),
    attemptDir,
  };
}

function parentOf({ pid }: ProcessIdentity): ProcessIdentity | null {
  const parent = readProcess(pid)?.parentPid;
  return parent === undefined ? null : identify(parent);
}

/** The identity with its number in this namespace. An unseen process keeps its own number; a gone one gets 0, which no process has. */
function asSeen(inner: ProcessIdentity): ProcessIdentity {
  const here = seenFromHere(inner);
  if (here === 'unseen') return inner;
  return here === 'gone' ? { bootId: inner.bootId, pid: 0, startTicks: inner.startTicks } : here;
}

function attendantLog(attemptDir: string): string {
  const text = readFileSync(join(attemptDir, ATTENDANT_LOG_FILE), 'utf8').trim();
  return text === '' ? 'the attendant ended before it claimed the attempt' : text.slice(0, 2_000);
}
