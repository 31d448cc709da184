/**
 * `eraseRawOutput`: deletes the raw output of a run. Raw output may hold secrets that the redacted transcript does not, so it is kept
 * only for a time. The journal, the transcript and the ledger stay.
 */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ATTENDANT_LOG_FILE, spoolPaths } from '../platform/container/attempt-files.ts';
import { readLaunchFiles } from './attempt/launch-files.ts';
import { agentDir, keeperLogPaths, runDir } from './run-files.ts';

/** Returns how many files it deleted. */
export async function eraseRawOutput(home: string, runId: string): Promise<number> {
  const attempts = join(runDir(home, runId), 'attempts');
  let erased = 0;
  for (const attempt of await readdir(attempts).catch(() => [])) {
    const directory = join(attempts, attempt);
    for (const path of rawFiles(directory)) {
      if (!existsSync(path)) continue;
      await rm(path);
      erased += 1;
    }
  }
  for (const path of Object.values(keeperLogPaths(home, runId)))
    erased += await rm(path).then(
      () => 1,
      () => 0,
    );
  return erased;
}

/** The agent can write the note with the hook files: a path outside the attempt's folders is not Mayday's to delete. */
function rawFiles(directory: string): readonly string[] {
  const { stdout, stderr } = spoolPaths(directory);
  const hooks = readLaunchFiles(directory)?.hookFiles ?? [];
  const own = [directory, agentDir(directory)];
  const named = hooks.map((path) => resolve(path)).filter((path) => own.includes(dirname(path)));
  return [stdout, stderr, join(directory, ATTENDANT_LOG_FILE), ...named];
}
