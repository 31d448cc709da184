import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import type { ContainerLevel } from '../../src/platform/container/attempt-files.ts';
import { cgroupPathFor } from '../../src/platform/container/cgroup.ts';
import { release, startContained } from '../../src/platform/container/container.ts';
import { type ContainerHandle, membersOf } from '../../src/platform/container/container-handle.ts';
import { agentEnvironment } from '../../src/platform/process/environment.ts';
import { isEmpty, type Observation, observe } from '../../src/platform/container/observe.ts';
import { kill } from '../../src/platform/container/stop.ts';
import { temporaryDirectory } from '../temporary-directory.ts';

const AGENTS = resolve(import.meta.dirname, '../fixtures/agents');

export function agentProgram(name: string, ...args: string[]): string[] {
  const path = join(AGENTS, name);
  return name.endsWith('.mjs') ? [process.execPath, path, ...args] : [path, ...args];
}

export interface AttemptOptions {
  readonly level?: ContainerLevel;
  readonly attemptDir?: string;
  readonly cwd?: string;
  readonly stdinFile?: string;
  readonly env?: Record<string, string>;
}

/** Starts a real agent; whatever the test did, nothing of it is left afterwards, and that is checked too. */
export async function startAttempt(argv: string[], options: AttemptOptions = {}): Promise<ContainerHandle> {
  const attemptDir = options.attemptDir ?? temporaryDirectory();
  const marker = newMarker();
  const cgroupPath = cgroupPathFor(marker) ?? '';
  // Also for a start that fails, where there is no handle to give back. Runs after what a handle's own clean-up does.
  onTestFinished(() => expect(existsSync(cgroupPath), 'a control group was left behind').toBe(false));
  const handle = await startContained({
    attemptDir,
    argv,
    cwd: options.cwd ?? attemptDir,
    env: { ...agentEnvironment(process.env), ...options.env },
    stdinFile: options.stdinFile ?? null,
    marker,
    ...(options.level === undefined ? {} : { level: options.level }),
  });
  leaveNothing(handle);
  return handle;
}

export function newMarker(): string {
  return `test.1.${randomBytes(8).toString('hex')}`;
}

export function leaveNothing(handle: ContainerHandle): void {
  onTestFinished(async () => {
    for (let tries = 0; tries < 20 && !(await isEmpty(handle)); tries++) await kill(handle);
    expect(membersOf(handle).filter((row) => row.state !== 'zombie')).toEqual([]);
    expect(await isEmpty(handle)).toBe(true);
    expect(release(handle)).toBe(true);
  });
}

/** Waits for a fact instead of guessing a time; the test's own limit ends it. */
export async function eventually<T>(look: () => Promise<T> | T, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await look();
    if (holds(value)) return value;
    await sleep(10);
  }
}

export async function seen(
  handle: ContainerHandle,
  holds: (observation: Observation) => boolean,
): Promise<Observation> {
  return await eventually(() => observe(handle), holds);
}

export async function outputHolds(handle: ContainerHandle, text: string): Promise<void> {
  await eventually(
    () => readFileSync(join(handle.attemptDir, 'stdout'), 'utf8'),
    (output) => output.includes(text),
  );
}
