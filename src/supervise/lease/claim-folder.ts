/** `claimFolder`: gives a folder to one run at a time; the first claim wins. In place, two runs would overwrite each other's work. */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { usageError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';

/** A new run is in the record within this time after its claim. A crash left an older claim that has no run. */
const BECOMING_MS = 30_000;

export async function claimFolder(
  home: string,
  record: RunRecord,
  folder: string,
  runId: string,
): Promise<void> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 32);
  const claim = join(home, 'in-place', name);
  mkdirSync(dirname(claim), { recursive: true, mode: 0o700 });
  if (write(claim, runId)) return;
  const holder = readFileSync(claim, 'utf8').trim();
  const row = await record.row(holder);
  const isBecoming = row === null && Date.now() - statSync(claim).mtimeMs < BECOMING_MS;
  if (holder !== runId && (isBecoming || row?.ended === false)) throw inUse(folder, holder);
  rmSync(claim, { force: true });
  if (!write(claim, runId)) throw inUse(folder, readFileSync(claim, 'utf8').trim());
}

function write(claim: string, runId: string): boolean {
  try {
    writeFileSync(claim, runId, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function inUse(folder: string, holder: string) {
  return usageError('FOLDER_IN_USE', `run ${holder} works in place in ${folder} and has not ended`, [
    ['did', 'started nothing'],
    ['do', `wait for it (mayday watch ${holder}), end it, or leave out --in-place`],
  ]);
}
