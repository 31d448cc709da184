/** `cgroupPrefix`, `startInCgroup`, `cgroupMembers`, `cgroupKill`: containers as version 2 control groups, the strongest level. */
import { systemProgram } from '../process/system-program.ts';
import { createHash } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HAS_PROC, readOrNull } from '../process/proc-table.ts';
import { hasVanished, lookOrNull } from '../file/vanished.ts';

/**
 * The kernel keeps the list of members, `cgroup.kill` ends them all in one step, even a fork bomb, and an unprivileged agent cannot
 * leave its control group.
 */

/** The time limit for the test of systemd's scopes: milliseconds where it works, seconds on an overloaded machine. */
const PROBE_TIMEOUT_MS = 30_000;

/** A session outside the user's own control groups may not move processes into them; a scope made by the user's systemd may. */
const SCOPE_OPTIONS = ['--user', '--scope', '--quiet', '--collect', '-p', 'Delegate=yes', '--'];
const scope = () => [systemProgram('systemd-run'), ...SCOPE_OPTIONS];

/** The words to put before a program so that it may make control groups of its own; null if this machine offers none. */
export async function cgroupPrefix(): Promise<readonly string[] | null> {
  if (!HAS_PROC) return null;
  if (await worksHere()) return [];
  return worksInScope() ? scope() : null;
}

/** The path of the control group for this marker, below the caller's own control group. */
export function cgroupPathFor(marker: string): string | null {
  const own = ownCgroup();
  return own === null
    ? null
    : join(own, `mayday-${createHash('sha256').update(marker).digest('hex').slice(0, 24)}`);
}

export function ownCgroup(): string | null {
  const mount = readOrNull('/proc/self/mountinfo')
    ?.split('\n')
    .map((line) => line.split(' '))
    .find((fields) => fields[fields.indexOf('-') + 1] === 'cgroup2');
  const path = readOrNull('/proc/self/cgroup')?.match(/^0::(.*)$/m)?.[1];
  // Field 4 is the part of the hierarchy that the mount shows: a container sees only its own part.
  const [root, point] = [mount?.[3], mount?.[4]];
  if (root === undefined || point === undefined || path === undefined) return null;
  const inside = root !== '/' && path.startsWith(root) ? path.slice(root.length) : path;
  return join(point, inside);
}

/** Runs `start` while the caller is a member, so that its child processes are members from the start; then the caller leaves again. */
export function startInCgroup<T>(path: string, start: () => T): T {
  const home = ownCgroup();
  if (home === null) throw new Error('no control group to return to');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'cgroup.procs'), String(process.pid));
  try {
    return start();
  } finally {
    writeFileSync(join(home, 'cgroup.procs'), String(process.pid));
  }
}

export function cgroupMembers(path: string): number[] {
  const here = (readOrNull(join(path, 'cgroup.procs')) ?? '').split('\n').filter(Boolean).map(Number);
  return [...here, ...innerGroups(path).flatMap(cgroupMembers)];
}

export function cgroupKill(path: string): void {
  try {
    writeFileSync(join(path, 'cgroup.kill'), '1');
  } catch (error) {
    if (!hasVanished(error)) throw error;
  }
}

/** Processor time of all members, also of those that have ended. */
export function cgroupCpuMs(path: string): number | null {
  const microseconds = readOrNull(join(path, 'cpu.stat'))?.match(/^usage_usec (\d+)$/m)?.[1];
  return microseconds === undefined ? null : Math.round(Number(microseconds) / 1000);
}

/** False while a process still lives inside. */
export function removeCgroup(path: string): boolean {
  try {
    for (const inner of innerGroups(path)) removeCgroup(inner);
    rmdirSync(path);
    return true;
  } catch (error) {
    return hasVanished(error);
  }
}

function innerGroups(path: string): string[] {
  const entries = lookOrNull(() => readdirSync(path, { withFileTypes: true })) ?? [];
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(path, entry.name));
}

/** Tests control groups by using one: a process is moved in and killed, and the group is removed. */
async function worksHere(): Promise<boolean> {
  const path = cgroupPathFor(`probe.${process.pid}.${performance.now()}`);
  if (path === null) return false;
  try {
    mkdirSync(path);
    accessSync(join(path, 'cgroup.kill'), constants.W_OK);
    const child = spawn(systemProgram('sleep'), ['5'], { stdio: 'ignore' });
    const killed = new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL'));
    });
    if (child.pid === undefined) return await killed;
    try {
      // The kernel takes some 15 ms for it, in which this process goes on.
      await writeFile(join(path, 'cgroup.procs'), String(child.pid));
      cgroupKill(path);
    } catch {
      child.kill('SIGTERM');
    }
    return await killed;
  } catch {
    return false;
  } finally {
    removeCgroup(path);
  }
}

function worksInScope(): boolean {
  if (process.getuid?.() === 0) return false;
  const script =
    'c=$(sed -n "s/^0:://p" /proc/self/cgroup) && for m in /sys/fs/cgroup /sys/fs/cgroup/unified; do ' +
    'd="$m$c/probe"; mkdir "$d" 2>/dev/null || continue; ' +
    'echo $$ >"$d/cgroup.procs" && test -w "$d/cgroup.kill" && echo $$ >"$m$c/cgroup.procs" && rmdir "$d" && exit 0; done; exit 1';
  const [command = '', ...words] = scope();
  const { status } = spawnSync(command, [...words, '/bin/sh', '-c', script], {
    stdio: 'ignore',
    timeout: PROBE_TIMEOUT_MS,
  });
  return status === 0;
}
