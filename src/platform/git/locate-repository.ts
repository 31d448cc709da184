/**
 * `locateRepository`, `gitFolderAt`, `repositoryAround`: find the git directory of a folder by its files. They start no git and read no
 * configuration.
 */
import { constants, existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isAllowed, isFolder } from '../file/file-kind.ts';
import { realOrSame } from '../file/inside.ts';
import { readPlainFile } from '../file/plain-file.ts';

export interface GitPlace {
  /** The directory of this checkout: its HEAD and its index. */
  readonly gitDir: string;
  /** The directory that all worktrees share: objects, refs, configuration. */
  readonly commonDir: string;
  /** Null: the folder is a git directory itself, or in one. */
  readonly workTree: string | null;
}

/** As git looks for it: the folder and those above it, on the same disk. */
export function locateRepository(folder: string): GitPlace | null {
  const disk = statSync(folder, { throwIfNoEntry: false })?.dev;
  for (let at = realOrSame(folder); disk !== undefined; at = dirname(at)) {
    const found = checkoutAt(at) ?? (isGitFolder(at) ? gitFolderAt(at) : null);
    if (found !== null) return found;
    if (dirname(at) === at || statSync(dirname(at)).dev !== disk) break;
  }
  return null;
}

export function gitFolderAt(path: string, workTree: string | null = null): GitPlace {
  const gitDir = realOrSame(path);
  const common = smallText(join(gitDir, 'commondir'));
  return { gitDir, commonDir: common === '' ? gitDir : realOrSame(resolve(gitDir, common)), workTree };
}

/** The nearest folder, this one or above it, that holds a `.git`; null: none. */
export function repositoryAround(folder: string): string | null {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? null : repositoryAround(dirname(folder));
}

function checkoutAt(folder: string): GitPlace | null {
  const path = join(folder, '.git');
  const pointed = /^gitdir: (.+)$/.exec(smallText(path))?.[1];
  const gitDir = pointed === undefined ? path : resolve(folder, pointed);
  // One that cannot be read is a repository all the same: git says what is wrong with it.
  return isGitFolder(gitDir) || isClosed(path) ? gitFolderAt(gitDir, folder) : null;
}

function isGitFolder(path: string): boolean {
  if (!existsSync(join(path, 'HEAD'))) return false;
  const { commonDir } = gitFolderAt(path);
  return ['objects', 'refs'].every((name) => existsSync(join(commonDir, name)));
}

function isClosed(path: string): boolean {
  return isFolder(path) && !isAllowed(path, constants.R_OK | constants.X_OK);
}

/** The longest path of the system, and some more. */
const MAX_NOTE_BYTES = 8 * 1024;

function smallText(path: string): string {
  const read = readPlainFile(path, MAX_NOTE_BYTES, { follow: true });
  return read.type === 'text' ? read.text.trim() : '';
}
