/**
 * The attendant: a small program in its own session that starts one agent and waits for it. So the exact exit status is recorded even if
 * the keeper dies. It is run as `node attendant.ts ATTEMPT_DIR PLAN_FILE`; no file imports it.
 *
 * plan read -> claim (exactly one attendant per attempt wins) -> spools open -> agent started -> leader noted -> agent ended -> exit noted
 */
import { readFileSync, rmdirSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import {
  type AttendantPlan,
  type Claim,
  type ContainerLevel,
  EXIT_FILE,
  type ExitNote,
  HIDING_FILE,
  type HidingNote,
  LEADER_FILE,
  type LeaderNote,
  type LeaseNote,
  spoolPaths,
  writeNoteOnce,
} from './attempt-files.ts';
import { isFolder } from '../file/file-kind.ts';
import { cgroupPathFor, removeCgroup } from './cgroup.ts';
import { type HiddenHome, hideHome, stageIn, TRY_TIMEOUT_MS } from './hide-home.ts';
import { clearAway, endAll, insist, killAgent, leave, type Running } from './leave-attempt.ts';
import { type KilledProcess, oomKills, wasOutOfMemory } from './oom.ts';
import { identify, type ProcessIdentity } from '../process/process-identity.ts';
import { closeInherited, startAgent, type StartedAgent } from './start-agent.ts';
import { uptime } from 'node:os';

// The end of a terminal, a login or a machine signals the agent too; the attendant stays to record how the agent ended. Without a
// debugger SIGUSR1 would end it.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT', 'SIGPIPE', 'SIGUSR1'] as const)
  process.on(signal, () => {});

function attend(attemptDir: string, planFile: string): void {
  const plan = JSON.parse(readFileSync(planFile, 'utf8')) as AttendantPlan;
  rmSync(planFile, { force: true });
  // Nobody reads of a command after a power loss: it ends with its starter. To wait for the disk takes much of a short one.
  const notesLast = plan.endsWithStarter !== true;
  const cgroupPath = plan.level === 'cgroup' ? cgroupPathFor(plan.marker) : null;
  const level: ContainerLevel = plan.level === 'cgroup' && cgroupPath === null ? 'process-group' : plan.level;
  const oomKillsBefore = oomKills(cgroupPath);
  // The strongest words are not tried first: they begin nothing where they do not hold, and then the weaker ones are tried.
  const hiding = hide(attemptDir, plan, true);
  const claim: Claim = {
    plan: basename(planFile),
    marker: plan.marker,
    level,
    attendant: identified(process.pid, plan),
    ...(hiding === null ? {} : { hiding: hiding.note }),
    cgroupPath,
    oomKillsBefore,
    at: new Date().toISOString(),
  };
  if (!writeNoteOnce(attemptDir, plan.claimFile, claim, notesLast)) process.exit(0);
  const run: Running = { attemptDir, notesLast, plan, cgroupPath, level, oomKillsBefore, pid: 0 };
  begin(run, hiding, true);
  if (run.pid === 0) return;
  if (plan.endsWithStarter)
    endWithStarter(() => {
      run.isOrphan = true;
      endAll(run);
    });
  if (plan.lease !== undefined)
    endWithLease(plan.lease, () => {
      run.leaseEnded = true;
      killAgent(plan.marker, cgroupPath, run.pid);
    });
}

type Hidden = ReturnType<typeof hide>;

/** Starts the agent. Words that were not tested and do not hold end before it: then it starts with words that were. */
function begin(run: Running, hiding: Hidden, isUntested: boolean): void {
  const { attemptDir, plan, cgroupPath, level, oomKillsBefore } = run;
  const missing = hiding === null ? null : missingIsolation(plan.hidden, hiding.note);
  if (missing !== null) return noteStartError(run, new Error(missing));
  let started: StartedAgent;
  try {
    started = startAgent(run, hiding?.words ?? []);
  } catch (error) {
    noteStartError(run, error as NodeJS.ErrnoException);
    return;
  }
  const { agent, witness } = started;
  agent.once('error', (error) => {
    if (agent.pid === undefined) noteStartError(run, error);
  });
  if (agent.pid === undefined) return;
  const pid = agent.pid;
  run.pid = pid;
  const leader = identified(pid, plan);
  let isNoted = false;
  const noteLeader = (): void => {
    const at = new Date().toISOString();
    const note = leader && ({ leader, ...(witness === null ? {} : { witness }), at } satisfies LeaderNote);
    // After a power loss there is no such process.
    if (note !== null && !isNoted) insist({ ...run, notesLast: false }, LEADER_FILE, note);
    isNoted = true;
  };
  // The shell that hides the home writes a line and closes this pipe just before it becomes the agent: only then does the agent run.
  const hider = agent.stdio[3] as Readable | null | undefined;
  let isBegun = !hider || !isUntested;
  const limit = isBegun
    ? undefined
    : setTimeout(() => killAgent(plan.marker, cgroupPath, pid), TRY_TIMEOUT_MS);
  const noteBegun = (): void => {
    clearTimeout(limit);
    if (isBegun) noteLeader();
  };
  if (!hider) noteBegun();
  else hider.once('data', () => (isBegun = true)).once('close', noteBegun);
  const startedAtMonotonicMs = Number(process.hrtime.bigint() / 1_000_000n);
  const facts = (): KilledProcess => ({
    pid: level === 'pid-namespace' ? null : pid,
    startedAtMonotonicMs,
    oomKillsBefore,
    oomKillsNow: oomKills(cgroupPath),
  });
  // Not `exit`: what the pipe said must have been read.
  agent.once('close', (exitCode, signal) => {
    if (!isBegun && run.isOrphan !== true) {
      // Only the words wrote there.
      for (const path of Object.values(spoolPaths(attemptDir))) rmSync(path, { force: true });
      const weaker = hide(attemptDir, plan);
      // What an attempt is hidden from must be known before it starts.
      const start = () => begin(run, weaker, false);
      return weaker === null ? start() : insist(run, HIDING_FILE, weaker.note, start);
    }
    noteLeader();
    // An agent with a hidden home can empty the folders that were shown to it there, but not remove them: so an empty one is removed here.
    const { home = '', show = [] } = plan.hidden ?? {};
    for (const path of show.filter((one) => one.startsWith(`${home}/`))) removeIfEmpty(path);
    const note: ExitNote = {
      exitCode,
      signal,
      at: new Date().toISOString(),
      oomKilled: signal === 'SIGKILL' ? wasOutOfMemory(facts()) : false,
      ...(plan.seal === undefined ? {} : { seal: plan.seal }),
      ...(run.leaseEnded === true ? { leaseEnded: true } : {}),
      startError: null,
    };
    if (run.isOrphan === true) clearAway(run);
    else insist(run, EXIT_FILE, note, () => leave(cgroupPath));
  });
}

/** If the home cannot be hidden, the program runs without that, and the claim says why. */
function hide(attemptDir: string, { hidden, cwd, env, argv }: AttendantPlan, isUntested = false) {
  if (hidden === undefined) return null;
  const hiding = hideHome(hidden, { stage: stageIn(attemptDir), cwd, env, argv, isUntested });
  if (hiding.type === 'shown') return { note: hiding, words: [] };
  const { words, ...note } = hiding;
  return { note, words };
}

function noteStartError(run: Running, error: NodeJS.ErrnoException): void {
  const { plan, cgroupPath } = run;
  // The starter gets an error and no handle, so no other process will remove the control group.
  if (cgroupPath !== null) removeCgroup(cgroupPath);
  const code = isFolder(plan.cwd) ? (error.code ?? 'UNKNOWN') : 'ENOCWD';
  const startError = { code, message: error.message };
  const note: ExitNote = {
    exitCode: null,
    signal: null,
    at: new Date().toISOString(),
    oomKilled: false,
    startError,
  };
  insist(run, EXIT_FILE, note, () => process.exit(0));
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

/** A small part of the time between the end of the agent and the end of the lease. */
const LEASE_LOOK_MS = 500;

/** The starter holds the other end of stdin and writes nothing: end-of-file means that the starter has ended. */
function endWithStarter(end: () => void): void {
  process.stdin.on('error', end).on('close', end).resume();
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

/** What a program must be kept from and is not; null: it may start. */
function missingIsolation(hidden: HiddenHome | undefined, note: HidingNote): string | null {
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

closeInherited();
const [attemptDir = '', planFile = ''] = process.argv.slice(2);
attend(attemptDir, planFile);
