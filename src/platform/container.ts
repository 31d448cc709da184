import { randomBytes } from 'node:crypto';
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  ATTENDANT_LOG_FILE,
  type AttendantPlan,
  CLAIM_FILE,
  type Claim,
  type ContainerLevel,
  EXIT_FILE,
  type ExitNote,
  LEADER_FILE,
  type LeaderNote,
  readNote,
  writeNoteOnce,
} from './attempt-files.ts';
import { cgroupPrefix, removeCgroup } from './cgroup.ts';
import type { ContainerHandle } from './container-handle.ts';
import { MaydayError } from './mayday-error.ts';
import { namespacePrefix, seenFromHere } from './pid-namespace.ts';
import { readProcess } from './proc-table.ts';
import { MARKER_VARIABLE } from './process-group.ts';
import { identify, type ProcessIdentity } from './process-identity.ts';
import { assertStartable, notStarted } from './startable.ts';

export interface StartPlan {
  readonly attemptDir: string;
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly stdinFile: string | null;
  /** `<run>.<attempt>.<random>`: names this container and no other. */
  readonly marker: string;
  /** Left out: the strongest this machine offers. */
  readonly level?: ContainerLevel;
  readonly mergeOutput?: boolean;
  /** For checks and other short commands, which must not outlive the process that asked for them. */
  readonly endsWithStarter?: boolean;
}

/** An attendant claims within 100 ms; a machine that thrashes may take seconds. Afterwards the start is forbidden, not assumed failed. */
const CLAIM_TIMEOUT_MS = 30_000;
const POLL_MS = 5;
/** The attendant only waits: small spaces, few helper threads. Measured: 9 MB of its own as .js, 20 MB as .ts. */
const ATTENDANT_FLAGS = [
  '--max-old-space-size=32',
  '--max-semi-space-size=1',
  '--v8-pool-size=0',
  '--no-warnings',
];

type Prefixes = Readonly<Record<ContainerLevel, readonly string[] | null>>;
let probed: Promise<Prefixes> | undefined;

export async function bestLevel(): Promise<ContainerLevel> {
  return (await availableLevels())[0] ?? 'process-group';
}

/** Strongest first. Probed once by really doing it. */
export async function availableLevels(): Promise<readonly ContainerLevel[]> {
  const prefixes = await prefixesOnce();
  const order: readonly ContainerLevel[] = ['cgroup', 'pid-namespace', 'process-group'];
  return order.filter((level) => prefixes[level] !== null);
}

/**
 * Starts the agent of an attempt, at most once ever for one attempt directory: whoever claims the directory first decides, and a
 * second call gets the first one's handle.
 */
export async function startContained(plan: StartPlan, signal?: AbortSignal): Promise<ContainerHandle> {
  assertStartable(plan);
  mkdirSync(plan.attemptDir, { recursive: true, mode: 0o700 });
  const earlier = await findAttempt(plan.attemptDir);
  if (earlier !== null) return earlier;
  const level = plan.level ?? (await bestLevel());
  const prefix = (await prefixesOnce())[level];
  if (prefix === null) throw notStarted(plan, `this machine offers no container of level ${level}`);
  signal?.throwIfAborted();
  const child = launchAttendant(plan, level, prefix);
  return await awaitStart(plan, child);
}

/** What an earlier starter left on disk, or null if no attendant has claimed this attempt (yet: see forbidStart). */
export async function findAttempt(attemptDir: string): Promise<ContainerHandle | null> {
  const claim = readNote<Claim>(attemptDir, CLAIM_FILE);
  if (claim === null || claim.attendant === null) return null;
  return handleFrom(attemptDir, claim);
}

/**
 * For a starter that died before it recorded a handle: after this call the attempt either has a handle, or can never start, even
 * if a slow attendant is still on its way.
 */
export async function forbidStart(attemptDir: string): Promise<ContainerHandle | null> {
  mkdirSync(attemptDir, { recursive: true, mode: 0o700 });
  const claim: Claim = {
    marker: '',
    level: 'process-group',
    attendant: null,
    cgroupPath: null,
    oomKillsBefore: null,
    at: new Date().toISOString(),
  };
  writeNoteOnce(attemptDir, CLAIM_FILE, claim);
  return await findAttempt(attemptDir);
}

/** Gives the empty container back to the machine. False while somebody still lives inside. */
export function release(handle: ContainerHandle): boolean {
  return handle.cgroupPath === undefined || removeCgroup(handle.cgroupPath);
}

async function prefixesOnce(): Promise<Prefixes> {
  probed ??= cgroupPrefix().then((cgroup) => ({
    cgroup,
    'pid-namespace': namespacePrefix(),
    'process-group': [],
  }));
  return await probed;
}

function launchAttendant(plan: StartPlan, level: ContainerLevel, prefix: readonly string[]): ChildProcess {
  const { attemptDir, argv, cwd, stdinFile, marker, mergeOutput = false, endsWithStarter = false } = plan;
  const env = { ...plan.env, [MARKER_VARIABLE]: marker };
  const content: AttendantPlan = { argv, cwd, env, stdinFile, marker, level, mergeOutput, endsWithStarter };
  const planFile = join(attemptDir, `plan-${randomBytes(6).toString('hex')}.json`);
  writeFileSync(planFile, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
  const log = openSync(join(attemptDir, ATTENDANT_LOG_FILE), 'a', 0o600);
  // In the checkout this file is TypeScript, in the published package JavaScript; the attendant lies beside it.
  const program = fileURLToPath(new URL(`./attendant${extname(import.meta.url)}`, import.meta.url));
  const words = [...prefix, process.execPath, ...ATTENDANT_FLAGS, program, attemptDir, planFile];
  const [command = '', ...args]: readonly string[] = words;
  try {
    const child = spawn(command, args, {
      cwd: '/',
      // Not the keeper's own environment: NODE_OPTIONS and the like would steer the attendant.
      env: pick(['PATH', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']),
      stdio: [endsWithStarter ? 'pipe' : 'ignore', log, log],
      detached: true,
    });
    child.once('exit', () => rmSync(planFile, { force: true }));
    child.unref();
    (child.stdin as unknown as { unref?: () => void } | null)?.unref?.();
    child.stdin?.on('error', () => {});
    return child;
  } finally {
    closeSync(log);
  }
}

async function awaitStart(plan: StartPlan, child: ChildProcess): Promise<ContainerHandle> {
  let failure: Error | undefined;
  child.once('error', (error) => {
    failure = error;
  });
  const deadline = performance.now() + CLAIM_TIMEOUT_MS;
  for (;;) {
    const ended = failure !== undefined || child.exitCode !== null || child.signalCode !== null;
    const claim = readNote<Claim>(plan.attemptDir, CLAIM_FILE);
    const exit = readNote<ExitNote>(plan.attemptDir, EXIT_FILE);
    if (exit?.startError) throw notStarted(plan, exit.startError.message, exit.startError.code);
    const known = claim !== null && (exit !== null || readNote(plan.attemptDir, LEADER_FILE) !== null);
    if (known || ended || performance.now() > deadline) {
      const handle = await forbidStart(plan.attemptDir);
      if (handle !== null) return handle;
      throw notStarted(plan, failure?.message ?? attendantLog(plan.attemptDir));
    }
    await sleep(POLL_MS);
  }
}

function handleFrom(attemptDir: string, claim: Claim): ContainerHandle {
  const inner = claim.attendant;
  if (inner === null) throw new MaydayError('ATTEMPT_FORBIDDEN', 'this attempt was never allowed to start');
  const attendant = seenFromHere(inner);
  const note = readNote<LeaderNote>(attemptDir, LEADER_FILE);
  const leader = note === null ? null : seenFromHere(note.leader);
  const first = claim.level === 'pid-namespace' && attendant !== null ? parentOf(attendant) : null;
  return {
    level: claim.level,
    marker: claim.marker,
    attendant: attendant ?? gone(inner),
    leader: note === null ? null : (leader ?? gone(note.leader)),
    ...(first === null ? {} : { first }),
    ...(claim.cgroupPath === null ? {} : { cgroupPath: claim.cgroupPath }),
    attemptDir,
  };
}

function parentOf({ pid }: ProcessIdentity): ProcessIdentity | null {
  const parent = readProcess(pid)?.parentPid;
  return parent === undefined ? null : identify(parent);
}

/** Numbers from a namespace that has ended mean nothing outside: pid 0 is nobody. */
function gone(identity: { readonly bootId: string; readonly startTicks: number }): ProcessIdentity {
  return { bootId: identity.bootId, pid: 0, startTicks: identity.startTicks };
}

function attendantLog(attemptDir: string): string {
  const text = readFileSync(join(attemptDir, ATTENDANT_LOG_FILE), 'utf8').trim();
  return text === '' ? 'the attendant ended before it claimed the attempt' : text.slice(0, 2_000);
}

function pick(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name] as string]])),
  );
}
