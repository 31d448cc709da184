import { createHash } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, mkdirSync, readdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HAS_PROC, readOrNull } from '../process/proc-table.ts';
import { hasVanished, lookOrNull } from '../file/vanished.ts';

/**
 * The strongest level: a version 2 control group. The kernel keeps the list of members, `cgroup.kill` ends them all in one
 * step, a fork bomb included, and nothing an unprivileged agent does gets it out.
 */

/** Time for a probe's process to be killed, or for systemd to make a scope; both take milliseconds where they work. */
const PROBE_TIMEOUT_MS = 3_000;

/** A session outside the user's own tree may not move processes into it; a scope made by the user's systemd may. */
const SCOPE = ['systemd-run', '--user', '--scope', '--quiet', '--collect', '-p', 'Delegate=yes', '--'];

/** The words to put before a program so that it may make control groups of its own; null if this machine offers none. */
export async function cgroupPrefix(): Promise<readonly string[] | null> {
  if (!HAS_PROC) return null;
  if (await worksHere()) return [];
  return worksInScope() ? SCOPE : null;
}

/** Where the container of this marker lies when the caller's own control group is its parent. */
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
  // Field 4 is what the mount shows of the hierarchy: a container sees its own part only.
  const [root, point] = [mount?.[3], mount?.[4]];
  if (root === undefined || point === undefined || path === undefined) return null;
  const inside = root !== '/' && path.startsWith(root) ? path.slice(root.length) : path;
  return join(point, inside);
}

/** Runs `start` as a member, so that what it starts is born inside; the caller itself steps out again. */
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

/** Processor time of all members, living and dead. */
export function cgroupCpuMs(path: string): number | null {
  const microseconds = readOrNull(join(path, 'cpu.stat'))?.match(/^usage_usec (\d+)$/m)?.[1];
  return microseconds === undefined ? null : Math.round(Number(microseconds) / 1000);
}

/** False while somebody still lives inside. */
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

/** Not what the files promise but what happens: a process is moved in, killed, and the group removed. */
async function worksHere(): Promise<boolean> {
  const path = cgroupPathFor(`probe.${process.pid}.${performance.now()}`);
  if (path === null) return false;
  try {
    mkdirSync(path);
    accessSync(join(path, 'cgroup.kill'), constants.W_OK);
    const child = spawn('sleep', ['5'], { stdio: 'ignore' });
    const killed = new Promise<boolean>((resolve) => {
      child.once('error', () => resolve(false));
      child.once('exit', (_code, signal) => resolve(signal === 'SIGKILL'));
    });
    if (child.pid === undefined) return await killed;
    try {
      writeFileSync(join(path, 'cgroup.procs'), String(child.pid));
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
  const [command = '', ...words] = SCOPE;
  const { status } = spawnSync(command, [...words, 'sh', '-c', script], {
    stdio: 'ignore',
    timeout: PROBE_TIMEOUT_MS,
  });
  return status === 0;
}
