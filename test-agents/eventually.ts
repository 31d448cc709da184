import { setTimeout as wait } from 'node:timers/promises';

/** Looks until it is so. The deadline is for broken worlds, not a guess at how long things take. */
export async function eventually(what: string, holds: () => boolean, deadlineMs = 300_000): Promise<void> {
  const end = performance.now() + deadlineMs;
  while (!holds()) {
    if (performance.now() > end) throw new Error(`waited ${deadlineMs} ms in vain for: ${what}`);
    await wait(20);
  }
}
