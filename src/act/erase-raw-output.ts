/**
 * Raw output may hold secrets that its redacted transcript does not; it is kept only as long as somebody may want to read it
 * at its source. What the run was and what it proved stays on record.
 */
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { ATTENDANT_LOG_FILE, spoolPaths } from '../platform/container/attempt-files.ts';
import { readLaunchFiles } from './launch-files.ts';
import { agentDir, keeperLogPaths, runDir } from './run-files.ts';

/** How many files are gone now. */
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

/** Files elsewhere are the agent's own, whatever a note says about them. */
function rawFiles(directory: string): readonly string[] {
  const { stdout, stderr } = spoolPaths(directory);
  const hooks = readLaunchFiles(directory)?.hookFiles ?? [];
  const own = [directory, agentDir(directory)];
  const named = hooks.map((path) => resolve(path)).filter((path) => own.includes(dirname(path)));
  return [stdout, stderr, join(directory, ATTENDANT_LOG_FILE), ...named];
}
