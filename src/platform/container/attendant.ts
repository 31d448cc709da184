/**
 * The attendant: a small program in its own session that starts one agent and waits for it. So the exact exit status is recorded even if
 * the keeper dies. It is run as `node attendant.ts ATTEMPT_DIR PLAN_FILE`; no file imports it.
 *
 * claim (exactly one attendant per attempt wins) -> spools open -> agent started -> leader noted -> agent ended -> exit noted -> end
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type AttendantPlan,
  type Claim,
  type ContainerLevel,
  EXIT_FILE,
  type ExitNote,
  type HidingNote,
  LEADER_FILE,
  type LeaderNote,
  type LeaseNote,
  spoolPaths,
  writeNote,
  writeNoteOnce,
} from './attempt-files.ts';
import { cgroupKill, cgroupPathFor, removeCgroup, startInCgroup } from './cgroup.ts';
import { type HiddenHome, hideHome, stageIn } from './hide-home.ts';
import { type KilledProcess, oomKills, wasOutOfMemory } from './oom.ts';
import { groupMembers } from './process-group.ts';
import { identify, type ProcessIdentity, selfIdentity } from '../process/process-identity.ts';
import { holdWitness } from './witness.ts';

/** On a full disk the note is tried again: until a person or Mayday frees space, only the attendant knows how the agent ended. */
const RETRY_NOTE_MS = 1_000;
/** The first file descriptor after stdin, stdout and stderr. */
const FIRST_EXTRA_FILE = 3;
const CLEAR_EVERY_MS = 50;
/** A small part of the time between the end of the agent and the end of the lease. */
const LEASE_LOOK_MS = 500;
/** The kernel may still count the agent as a member for a moment after it ended. */
const LEAVE_TRIES = 2;

const [attemptDir = '', planFile = ''] = process.argv.slice(2);

// The end of a terminal, a login or a machine signals the agent too; the attendant stays to record how the agent ended.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGPIPE'] as const)
  process.on(signal, () => {});

function attend(): void {
  const plan = JSON.parse(readFileSync(planFile, 'utf8')) as AttendantPlan;
  rmSync(planFile, { force: true });
  const cgroupPath = plan.level === 'cgroup' ? cgroupPathFor(plan.marker) : null;
  const level: ContainerLevel = plan.level === 'cgroup' && cgroupPath === null ? 'process-group' : plan.level;
  const oomKillsBefore = oomKills(cgroupPath);
  // A command that ends with its starter is never adopted, so it needs no witness.
  const witness = plan.endsWithStarter ? null : holdWitness(attemptDir);
  const hiding = hide(plan, witness === null ? FIRST_EXTRA_FILE : FIRST_EXTRA_FILE + 1);
  const claim: Claim = {
    plan: basename(planFile),
    marker: plan.marker,
    level,
    attendant: identified(process.pid, plan),
    ...(witness === null ? {} : { witness: witness.inode }),
    ...(hiding === null ? {} : { hiding: hiding.note }),
    cgroupPath,
    oomKillsBefore,
    at: new Date().toISOString(),
  };
  if (!writeNoteOnce(attemptDir, plan.claimFile, claim)) return;
  const missing = hiding === null ? null : missingIsolation(plan.hidden, hiding.note);
  if (missing !== null) return noteStartError(plan, cgroupPath, new Error(missing));

  const start = (): ChildProcess => startAgent(plan, hiding?.words ?? [], witness?.file);
  let agent: ChildProcess;
  try {
    agent = cgroupPath === null ? start() : startInCgroup(cgroupPath, start);
  } catch (error) {
    noteStartError(plan, cgroupPath, error as NodeJS.ErrnoException);
    return;
  }
  agent.once('error', (error) => {
    if (agent.pid === undefined) noteStartError(plan, cgroupPath, error);
  });
  if (agent.pid === undefined) return;
  const pid = agent.pid;
  const leader = identified(pid, plan);
  let isNoted = false;
  const noteLeader = (): void => {
    if (leader !== null && !isNoted)
      insist(LEADER_FILE, { leader, at: new Date().toISOString() } satisfies LeaderNote);
    isNoted = true;
  };
  // The shell that hides the home closes this pipe just before it becomes the agent: only then does the agent run.
  const hider = agent.stdio.slice(3).find((stream) => stream !== null && stream !== undefined) as
    | Readable
    | undefined;
  if (hider === undefined) noteLeader();
  else hider.once('close', noteLeader).resume();
  let isOrphan = false;
  if (plan.endsWithStarter) {
    endWithStarter(() => {
      isOrphan = true;
      endAll(plan.marker, cgroupPath, level, pid);
    });
  }
  let leaseEnded = false;
  if (plan.lease !== null)
    endWithLease(plan.lease, () => {
      leaseEnded = true;
      killAgent(plan.marker, cgroupPath, pid);
    });
  const startedAtMonotonicMs = Number(process.hrtime.bigint() / 1_000_000n);
  const facts = (): KilledProcess => ({
    pid: level === 'pid-namespace' ? null : pid,
    startedAtMonotonicMs,
    oomKillsBefore,
    oomKillsNow: oomKills(cgroupPath),
  });
  agent.once('exit', (exitCode, signal) => {
    noteLeader();
    // An agent with a hidden home can empty the folders that were shown to it there, but not remove them: so an empty one is removed here.
    const { home = '', show = [] } = plan.hidden ?? {};
    for (const path of show.filter((one) => one.startsWith(`${home}/`))) removeIfEmpty(path);
    const note: ExitNote = {
      exitCode,
      signal,
      at: new Date().toISOString(),
      oomKilled: signal === 'SIGKILL' ? wasOutOfMemory(facts()) : false,
      ...(plan.seal === null ? {} : { seal: plan.seal }),
      ...(leaseEnded ? { leaseEnded } : {}),
      startError: null,
    };
    if (isOrphan) clearAway(cgroupPath);
    else insist(EXIT_FILE, note, () => leave(cgroupPath));
  });
}

/** If the home cannot be hidden, the program runs without that, and the claim says why. */
function hide({ hidden, cwd, env, argv }: AttendantPlan, readyFile: number) {
  if (hidden === null) return null;
  const hiding = hideHome(hidden, { stage: stageIn(attemptDir), cwd, env, argv, readyFile });
  if (hiding.type === 'shown') return { note: hiding, words: [] };
  const { words, ...note } = hiding;
  return { note, words };
}

function missingIsolation(hidden: HiddenHome | null, note: HidingNote): string | null {
  const { withoutNetwork = false, required = [] } = hidden ?? {};
  if (note.type === 'shown')
    return withoutNetwork
      ? `it must have no network: ${note.why}`
      : required.length === 0
        ? null
        : `Mayday's own folder must be hidden from it as from the agent: ${note.why}`;
  if (required.includes('layered') && note.isUnlayered === true)
    return 'the caches of tools cannot be kept apart from what the agent wrote there';
  return required.includes('scoped') && note.isUnscoped === true
    ? 'it could look into processes outside, which the agent could not'
    : null;
}

function startAgent(
  plan: AttendantPlan,
  prefix: readonly string[],
  witness: number | undefined,
): ChildProcess {
  const paths = spoolPaths(attemptDir);
  const stdin = openSync(plan.stdinFile ?? '/dev/null', 'r');
  const stdout = openSync(paths.stdout, 'a', 0o600);
  const stderr = plan.mergeOutput ? stdout : openSync(paths.stderr, 'a', 0o600);
  const isHidden = prefix.length > 0;
  const [command = '', ...args] = [...prefix, ...plan.argv];
  return spawn(command, args, {
    cwd: plan.cwd,
    env: plan.env,
    stdio: [
      stdin,
      stdout,
      stderr,
      ...(witness === undefined ? [] : [witness]),
      ...(isHidden ? ['pipe' as const] : []),
    ],
    detached: true,
  });
}

function noteStartError(plan: AttendantPlan, cgroupPath: string | null, error: NodeJS.ErrnoException): void {
  // The starter gets an error and no handle, so no other process will remove the control group.
  if (cgroupPath !== null) removeCgroup(cgroupPath);
  const code = isDirectory(plan.cwd) ? (error.code ?? 'UNKNOWN') : 'ENOCWD';
  const startError = { code, message: error.message };
  const note: ExitNote = {
    exitCode: null,
    signal: null,
    at: new Date().toISOString(),
    oomKilled: false,
    startError,
  };
  insist(EXIT_FILE, note, () => process.exit(0));
}

/** Writes the note now, or as soon as the disk has room; gives up only when the attempt's directory is gone. */
function insist(name: string, note: unknown, then: () => void = () => {}): void {
  try {
    writeNote(attemptDir, name, note);
    then();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return then();
    setTimeout(() => insist(name, note, then), RETRY_NOTE_MS);
  }
}

/** The starter holds the other end of stdin and never writes to it: end-of-file means that the starter has ended. */
function endWithStarter(end: () => void): void {
  process.stdin.on('error', end);
  process.stdin.on('close', end);
  process.stdin.resume();
}

/** Looks again and again: a fork bomb needs more than one pass, and a machine that slept looks first of all. */
function endWithLease({ file, stopMs }: LeaseNote, end: () => void): void {
  let renewedAt = uptime();
  setInterval(() => {
    try {
      renewedAt = Number(readFileSync(file, 'utf8')) || renewedAt;
    } catch {
      // Without the note, the last time that was read counts.
    }
    if ((uptime() - renewedAt) * 1_000 >= stopMs) end();
  }, LEASE_LOOK_MS);
}

/** An empty control group is removed at once. If members are left, the keeper ends them and removes the group. */
function leave(cgroupPath: string | null, triesLeft = LEAVE_TRIES): void {
  if (cgroupPath === null || triesLeft === 0 || removeCgroup(cgroupPath)) process.exit(0);
  setTimeout(() => leave(cgroupPath, triesLeft - 1), CLEAR_EVERY_MS);
}

/** The starter is gone, so no process needs the exit note. The last members may take a moment to die. */
function clearAway(cgroupPath: string | null): void {
  rmSync(attemptDir, { recursive: true, force: true });
  if (cgroupPath === null || removeCgroup(cgroupPath)) process.exit(0);
  setTimeout(() => clearAway(cgroupPath), CLEAR_EVERY_MS);
}

function endAll(marker: string, cgroupPath: string | null, level: ContainerLevel, leaderPid: number): void {
  // When the attendant ends, the kernel ends everything in its namespace.
  if (cgroupPath === null && level === 'pid-namespace') {
    rmSync(attemptDir, { recursive: true, force: true });
    process.exit(0);
  }
  killAgent(marker, cgroupPath, leaderPid);
}

function killAgent(marker: string, cgroupPath: string | null, leaderPid: number): void {
  if (cgroupPath !== null) return cgroupKill(cgroupPath);
  for (const { pid } of groupMembers(marker, selfIdentity(), identify(leaderPid), { readAgain: true })) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended between the look and the signal.
    }
  }
}

function identified(pid: number, { seenFrom }: AttendantPlan): ProcessIdentity | null {
  const identity = identify(pid);
  return identity === null ? null : { ...identity, seenFrom };
}

function removeIfEmpty(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // It is a file, or a folder that is not empty.
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

attend();
