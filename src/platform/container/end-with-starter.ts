/**
 * `endWithStarter`, `endWithLease`: call `end` when the process that started the attendant has ended, or the lease of its host.
 * `nextLine`: what the starter says to an attendant that has served before.
 */
import { readFileSync } from 'node:fs';
import { uptime } from 'node:os';
import type { LeaseNote } from './attempt-files.ts';

/** A small part of the time between the end of the agent and the end of the lease. */
const LEASE_LOOK_MS = 500;

let isListening = false;
/** What the starter said that was not asked for yet. */
let said = '';
let isGone = false;
/** Called when there is more to know. */
let tell = (): void => {};

/** The starter holds the other end of stdin and writes nothing while the program runs: end-of-file means that the starter has ended. */
export function endWithStarter(end: () => void): void {
  listen(() => {
    if (isGone) end();
  });
}

/** `awaitLine` would not get what arrives here: from the first program on, stdin is read by the event loop. Null: the starter is gone. */
export async function nextLine(): Promise<string | null> {
  return await new Promise((resolve) => {
    listen(() => {
      const end = said.indexOf('\n');
      if (end < 0 && !isGone) return;
      tell = () => {};
      resolve(end < 0 ? null : said.slice(0, end));
      said = said.slice(end + 1);
    });
  });
}

function listen(told: () => void): void {
  tell = told;
  if (!isListening) {
    const gone = (): void => {
      isGone = true;
      tell();
    };
    process.stdin.setEncoding('utf8').on('error', gone).on('close', gone);
    process.stdin.on('data', (text) => {
      said += text;
      tell();
    });
  }
  isListening = true;
  told();
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
