/**
 * `runRepository`, `setRunRepository`: the person's repository of a run as this host has it. On a host of a fleet that never saw the
 * repository it is a copy beside Mayday's home, made from what the run carries with it.
 */
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileDurably } from '../platform/file/durable-write.ts';
import { lookOrNull } from '../platform/file/vanished.ts';
import { runDir } from './run-files.ts';

function noteOf(home: string, runId: string): string {
  return join(runDir(home, runId), 'repository');
}

export function runRepository(
  home: string,
  run: { readonly runId: string; readonly repository: string },
): string {
  return lookOrNull(() => readFileSync(noteOf(home, run.runId), 'utf8'))?.trim() || run.repository;
}

/** Null: it is where the person has it. */
export async function setRunRepository(home: string, runId: string, path: string | null): Promise<void> {
  if (path === null) await rm(noteOf(home, runId), { force: true });
  else await writeFileDurably(noteOf(home, runId), `${path}\n`);
}
