/**
 * `keepRescueFiles`, `placeRescueFiles`: the files that a person adds for a rescue. They are kept with the run when the mission begins, and
 * placed in the workspace before the next attempt, in a folder that git ignores: they reach the agent and never the delivered work.
 */
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { RESCUE_FOLDER, rescueFileName } from '../../core/vocabulary/mission.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { runDir } from '../run-files.ts';

/** A specification has some pages; a larger file is not read by an agent. */
const MAX_BYTES = 10 * 1024 * 1024;
const KEPT = 'rescue-files';

/** Why the file cannot be used, or null. */
export function rescueFileProblem(path: string): string | null {
  const facts = statSync(path, { throwIfNoEntry: false });
  if (facts === undefined) return 'does not exist';
  if (!facts.isFile()) return 'is not a file';
  return facts.size > MAX_BYTES ? `is larger than ${MAX_BYTES / 1024 ** 2} MB` : null;
}

/** `paths`: absolute, in the order of the plan. The files of an earlier mission are replaced. */
export function keepRescueFiles(home: string, runId: string, paths: readonly string[]): void {
  const folder = join(runDir(home, runId), KEPT);
  rmSync(folder, { recursive: true, force: true });
  if (paths.length === 0) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [index, path] of paths.entries()) copyFileSync(path, join(folder, rescueFileName(path, index)));
}

export function placeRescueFiles(home: string, runId: string, workspace: string): void {
  const kept = join(runDir(home, runId), KEPT);
  if (!existsSync(kept)) return;
  const parent = join(workspace, '.mayday');
  const facts = lstatSync(parent, { throwIfNoEntry: false });
  // Through a link, an agent could have Mayday write outside the workspace.
  if (facts !== undefined && !facts.isDirectory())
    throw new MaydayError(
      'RESCUE_FILES_REFUSED',
      `${parent} is not a folder, so the files of the rescue cannot be placed`,
      [['do', `look at ${parent}, remove it, and answer the question`]],
    );
  const target = join(workspace, RESCUE_FOLDER);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  writeFileSync(join(target, '.gitignore'), '*\n');
  for (const name of readdirSync(kept)) copyFileSync(join(kept, name), join(target, name));
}
