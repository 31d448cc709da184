/**
 * `systemProgram`, `programOutsideHome`: the programs that Mayday itself runs beside agents. A program in the person's home
 * (`~/.local/bin`) may be one that an agent put there: started by Mayday it would see everything that is hidden from the agent.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, sep } from 'node:path';
import { isInside, realOrSame } from '../file/inside.ts';

/** Folders of system programs, which an ordinary user cannot write. */
export const SYSTEM_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';

/** The program of the system, by its whole path; its name where the system has none. */
export function systemProgram(name: string): string {
  return inFolders(name, SYSTEM_PATH.split(delimiter))[0] ?? name;
}

const chosen = new Map<string, string>();

/** The first on the PATH, or where that lies in the home the first outside that is fit; by its name where there is none. */
export function programOutsideHome(
  name: string,
  { PATH = '', HOME = '' }: NodeJS.ProcessEnv,
  isFit: (version: string) => boolean,
): string {
  const key = [name, PATH, HOME].join('\0');
  const known = chosen.get(key);
  if (known !== undefined) return known;
  const all = inFolders(name, PATH.split(delimiter).filter(isAbsolute));
  const outside = all.filter((program) => !isBelow(program, HOME));
  const found = outside[0] === all[0] ? name : (outside.find((program) => isFit(versionOf(program))) ?? name);
  chosen.set(key, found);
  return found;
}

function versionOf(program: string): string {
  return spawnSync(program, ['--version'], { encoding: 'utf8', env: {}, cwd: '/' }).stdout ?? '';
}

function inFolders(name: string, folders: readonly string[]): string[] {
  return folders.map((folder) => join(folder, name)).filter((program) => existsSync(program));
}

function isBelow(program: string, home: string): boolean {
  if (home === '' || home === sep) return false;
  return isInside(realOrSame(dirname(program)), realOrSame(home));
}
