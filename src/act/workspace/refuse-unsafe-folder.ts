/**
 * `refuseUnsafeFolder`: throws for a folder in which no run may work: the root of the file system, a whole home, Mayday's own state,
 * another run's tree, or a link.
 */
import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { homedir } from 'node:os';
import { join, sep } from 'node:path';
import { isExecutable } from '../../platform/file/file-kind.ts';
import { isInside, realOrSame } from '../../platform/file/inside.ts';
import { cannotEnter } from '../../platform/git/start-git.ts';
import { usageError } from '../../platform/mayday-error.ts';

/** Returns the real path of the folder. */
export function refuseUnsafeFolder(folder: string, home: string, env: NodeJS.ProcessEnv): string {
  const facts = factsOf(folder);
  if (facts === null && folder.includes('\uFFFD'))
    throw usageError('WORKSPACE_NAME_NOT_UTF8', `the path ${folder} is not valid UTF-8`, [
      ['happened', 'its bytes cannot be named to git and to agents without guessing'],
      ['do', 'rename the folder, or bind-mount it under a plain name'],
    ]);
  if (facts === null)
    throw usageError('WORKSPACE_MISSING', `${folder} does not exist`, [['do', 'check the path']]);
  if (facts.isSymbolicLink())
    throw usageError('WORKSPACE_IS_SYMLINK', `${folder} is a symbolic link`, [
      ['happened', 'a link can be pointed elsewhere while a run works behind it'],
      ['do', `go to the real folder: cd ${JSON.stringify(realOrSame(folder))}`],
    ]);
  if (!facts.isDirectory())
    throw usageError('WORKSPACE_NOT_A_FOLDER', `${folder} is not a folder`, [['do', 'check the path']]);
  if (!isExecutable(folder)) throw cannotEnter(folder);
  const real = realpathSync.native(folder);
  const maydayHome = realOrSame(home);
  if (real === sep)
    throw usageError('WORKSPACE_IS_ROOT', 'the workspace would be the whole file system', [
      ['do', 'go to a project folder and run Mayday there'],
    ]);
  const personHome = env['HOME'] ?? homedir();
  // An empty path would be the current folder.
  if (personHome !== '' && real === realOrSame(personHome))
    throw usageError('WORKSPACE_IS_HOME', 'the workspace would be your whole home folder', [
      ['do', 'go to a project folder; if it has no repository of its own, run `git init` there first'],
    ]);
  if (isInside(real, join(maydayHome, 'work')) || isInside(real, join(maydayHome, 'check')))
    throw usageError('WORKSPACE_IS_ANOTHER_RUN', `${real} belongs to another run`, [
      ['do', 'start from your own checkout; `mayday ps` lists the runs and their workspaces'],
    ]);
  if (isInside(real, maydayHome))
    throw usageError('WORKSPACE_IS_MAYDAY_HOME', `${real} is where Mayday keeps its own state`, [
      ['do', 'go to a project folder and run Mayday there'],
    ]);
  return real;
}

/** Null also for what cannot be looked at. */
function factsOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch {
    return null;
  }
}
