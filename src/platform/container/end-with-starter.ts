/** `endWithStarter`, `endWithLease`: call `end` when the process that started the attendant has ended, or the lease of its host. */
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { LeaseNote } from './attempt-files.ts';

/** A small part of the time between the end of the agent and the end of the lease. */
const LEASE_LOOK_MS = 500;

/** The starter holds the other end of stdin and writes nothing: end-of-file means that the starter has ended. */
export function endWithStarter(end: () => void): void {
  process.stdin.on('error', end).on('close', end).resume();
}

/** Looks again and again: a fork bomb needs more than one pass, and a machine that slept looks first of all. */
export function endWithLease({ file, stopMs }: LeaseNote, end: () => void): void {
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
