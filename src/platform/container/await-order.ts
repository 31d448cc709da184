/**
 * `awaitOrder`: what an attendant is called for. Its place, where it waits, comes by its arguments or, where that was not known when it was
 * started, by its stdin; the path of its plan comes last.
 *
 * no place -> (place) -> no plan -> (plan) -> ordered; end-of-file before it is ordered -> let go
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { awaitLine } from '../process/await-line.ts';
import { logInto } from '../process/spawn.ts';
import { ATTENDANT_LOG_FILE, type AttendantPlace } from './attempt-files.ts';
import { nextLine } from './end-with-starter.ts';
import { type EnteredGroup, enterEarly, leaveForGood } from './cgroup.ts';
import { ReadyCover } from './ready-cover.ts';
import { removeWitness } from './witness.ts';

export interface Order {
  readonly attemptDir: string;
  readonly planFile: string;
  /** The name of the control group that the attendant entered while it waited. */
  readonly group: string;
  readonly early: EnteredGroup | null;
  /** It waits in that group in place of the attendant. */
  readonly cover: ReadyCover | null;
}

/** Null: it is let go. `served`: the folder of the command that it served before, if any. */
export async function awaitOrder(served: string | null): Promise<Order | null> {
  const isFirst = served === null;
  // What takes long is done before there is a plan. The bundle loads the starting of programs only when it is first called.
  process.getBuiltinModule('node:child_process');
  const started = isFirst ? ReadyCover.start() : null;
  const tell = isFirst ? awaitLine : nextLine;
  // The starter of an older version names the plan at once, and no group.
  const [attemptDir, givenPlan = '', group = ''] =
    isFirst && process.argv.length > 2 ? process.argv.slice(2) : await awaitPlace(tell);
  // Most that served before are let go, and need none.
  const cover = isFirst || attemptDir === undefined ? started : ReadyCover.start();
  if (attemptDir !== undefined) cover?.enter(group, attemptDir);
  const early = cover === null ? enterEarly(group) : null;
  const planFile = givenPlan === '' ? await tell() : givenPlan;
  if (attemptDir !== undefined && planFile !== null) return { attemptDir, planFile, group, early, cover };
  cover?.end();
  if (attemptDir !== undefined) removeWitness(attemptDir);
  leaveForGood(early);
  // The code that is kept at the exit would lack what only an attendant with a plan runs.
  if (isFirst) process.removeAllListeners('exit');
  // Its starter was killed before it removed the folder.
  else rmSync(served, { recursive: true, force: true });
  return null;
}

async function awaitPlace(tell: typeof awaitLine | typeof nextLine): Promise<string[]> {
  const line = await tell();
  if (line === null) return [];
  const [attemptDir, group] = JSON.parse(line) as AttendantPlace;
  try {
    logInto(join(attemptDir, ATTENDANT_LOG_FILE));
  } catch {
    // The folder is gone: the starter has let this attendant go.
    return [];
  }
  return [attemptDir, '', group];
}
