/** `startAgent`: starts the program of a plan. `closeInherited`: what keeps files from it that are none of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync } from 'node:fs';
import { HAS_PROC, readOrNull } from '../process/proc-table.ts';
import { spoolPaths } from './attempt-files.ts';
import { startInCgroup } from './cgroup.ts';
import type { Running } from './leave-attempt.ts';
import { holdWitness } from './witness.ts';

export interface StartedAgent {
  readonly agent: ChildProcess;
  readonly witness: string | null;
}

/** In a session of its own, with its output in the spools of the attempt. It gets no file but its three and that of the cover. */
export function startAgent(
  { attemptDir, plan, cgroupPath }: Running,
  words: readonly string[],
): StartedAgent {
  const paths = spoolPaths(attemptDir);
  const stdin = openSync(plan.stdinFile ?? '/dev/null', 'r');
  const stdout = openSync(paths.stdout, 'a', 0o600);
  const stderr = plan.mergeOutput ? stdout : openSync(paths.stderr, 'a', 0o600);
  // A command that ends with its starter is never adopted, so it needs no witness. The attendant holds it too, by not closing the files.
  const witness = plan.endsWithStarter ? null : holdWitness([stdout, stderr]);
  const [command = '', ...args] = [...words, ...plan.argv];
  const hider = words.length > 0 ? ['pipe' as const] : [];
  const spawned = (): ChildProcess =>
    spawn(command, args, {
      cwd: plan.cwd,
      env: plan.env,
      stdio: [stdin, stdout, stderr, ...hider],
      detached: true,
    });
  try {
    return { agent: cgroupPath === null ? spawned() : startInCgroup(cgroupPath, spawned), witness };
  } finally {
    closeSync(stdin);
  }
}

/** 0, 1 and 2 are those of every program. */
const LAST_STANDARD_FILE = 2;
/** `O_CLOEXEC`, which Node does not name: the file is closed when another program begins. Linux has this number on x64 and arm64. */
const CLOSED_BY_EXEC = 0o2_000_000;

/** Closes what the person's shell, a CI runner or a test left open for Mayday: every program after it would get it too. */
export function closeInherited(): void {
  if (!HAS_PROC) return;
  for (const name of readdirSync('/proc/self/fd')) {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readOrNull(`/proc/self/fdinfo/${name}`) ?? '')?.[1];
    if (flags === undefined || Number(name) <= LAST_STANDARD_FILE) continue;
    if ((Number.parseInt(flags, 8) & CLOSED_BY_EXEC) === 0) closeSync(Number(name));
  }
}
