/**
 * `callNext`, `attendantOf`: the attendant of an attempt, called while this process only waits for the check before it. Without a plan it
 * claims nothing, and ends when it is let go or this process ends.
 */
import { randomBytes } from 'node:crypto';
import {
  callAttendant,
  dismissAttendant,
  type WaitingAttendant,
} from '../../platform/container/call-attendant.ts';
import { attemptDir } from '../run-files.ts';

interface Called {
  readonly directory: string;
  readonly marker: string;
  readonly attendant: WaitingAttendant | null;
}

/** The unique name of an attempt's container. */
export function attemptMarker(runId: string, attempt: number): string {
  return `${runId}.${attempt}.${randomBytes(8).toString('hex')}`;
}

let next: Promise<Called | null> = Promise.resolve(null);

/** For an attempt that will probably come. */
export function callNext(home: string, runId: string, attempt: number): void {
  // Where it cannot be called, the start of the attempt says why.
  next = attendantOf(home, runId, attempt).catch(() => null);
}

export async function attendantOf(home: string, runId: string, attempt: number): Promise<Called> {
  const directory = attemptDir(home, runId, attempt);
  const waiting = next;
  next = Promise.resolve(null);
  const called = await waiting;
  if (called?.directory === directory) return called;
  if (called?.attendant) dismissAttendant(called.attendant);
  const marker = attemptMarker(runId, attempt);
  return { directory, marker, attendant: await callAttendant(directory, undefined, marker) };
}
