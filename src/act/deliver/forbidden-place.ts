/**
 * `forbiddenPlace`: says why work must not be written to a path; null: it may. A git directory is forbidden under any name, because a
 * hook in it would run with the next git command of the person. A path that no person named must stay inside the repository.
 */
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isInside } from '../../platform/file/inside.ts';

/** Characters that some file systems ignore in names: `.g\u200cit` is `.git` there. */
const IGNORED_SIGNS = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;
/** A folder with these entries is a git directory, whatever its name. */
const GIT_PARTS = ['HEAD', 'objects', 'refs'];

export async function forbiddenPlace(
  path: string,
  { confinedTo }: { readonly confinedTo: string | null },
): Promise<string | null> {
  const real = await realPlace(resolve(path));
  const names = [...resolve(path).split(sep), ...real.split(sep)];
  if (names.some(isGitName) || (await liesInGitDirectory(real))) return `${path} leads into a git directory.`;
  if (confinedTo === null) return null;
  const repository = await realPlace(confinedTo);
  if (!isInside(real, repository))
    return `${path} lies outside the repository, and only a file names it: a person may do so with --sink.`;
  const user = await realPlace(homedir());
  const hidden = (place: string) =>
    isInside(place, user) && (relative(user, place).split(sep)[0] ?? '').startsWith('.');
  return hidden(real) && !hidden(repository)
    ? `${path} lies in a hidden folder of your home, and only a file names it.`
    : null;
}

function isGitName(name: string): boolean {
  const folded = name
    .normalize('NFKC')
    .replace(IGNORED_SIGNS, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
  return folded === '.git' || folded === 'git~1';
}

async function liesInGitDirectory(place: string): Promise<boolean> {
  for (let at = place; ; at = dirname(at)) {
    const parts = await Promise.all(GIT_PARTS.map((part) => stat(join(at, part)).catch(() => null)));
    if (parts.every((part) => part !== null)) return true;
    if (dirname(at) === at) return false;
  }
}

/** Follows every link. The part of the path that does not exist yet stays as it is. */
async function realPlace(path: string): Promise<string> {
  const real = await realpath(path).catch(() => null);
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await realPlace(dirname(path)), basename(path));
}
