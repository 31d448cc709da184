/**
 * `temporaryWords`: the words for `COVER` that give a program temporary folders of its own. An agent leaves files in `/tmp`; code of its
 * that a check runs must not find them there. What the person names stays: paths in the environment and in the command of the check, and
 * sockets behind which a server runs.
 */
import { chmodSync, chownSync, mkdirSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isInside } from '../file/inside.ts';
import { readOrNull } from '../process/proc-table.ts';
import type { HiddenHome, HidingOptions } from './hide-home.ts';

/** Programs map files there: theirs is in memory too, unless something in the machine's must be found. */
const SHARED_MEMORY = '/dev/shm';
/** More paths than this below a temporary folder are not what a person names. */
const MAX_KEPT = 50;

/** The last words cover the home. */
export function temporaryWords(hidden: HiddenHome, program: HidingOptions): string[] {
  const { home } = hidden;
  const runtime = `/run/user/${hidden.user?.uid ?? process.getuid?.() ?? 0}`;
  const named = keptPaths(hidden, program);
  const memory = folderAt(SHARED_MEMORY);
  const isNeeded = memory.some(
    (folder) => isInside(home, folder) || named.some((path) => isBelow(path, folder)),
  );
  const machine = ['/tmp', '/var/tmp', '/run/lock', runtime, tmpdir(), ...(isNeeded ? memory : [])];
  const all = [...new Set(machine.flatMap(folderAt))];
  const folders = all.filter((path) => !isInside(path, home) && !all.some((other) => isBelow(path, other)));
  // The sources lie in the home: the folder with the home in it is covered last.
  const ordered = folders.toSorted((a, b) => Number(isBelow(home, a)) - Number(isBelow(home, b)));
  const kept = named.filter((path) => !isInside(path, home));
  const words = ordered.flatMap((folder, index) => {
    const own = join(dirname(program.stage), `temporary-${index}`);
    mkdirSync(own, { recursive: true });
    const { mode, uid, gid } = statSync(folder);
    chmodSync(own, mode);
    if (process.getuid?.() === 0) chownSync(own, uid, gid);
    const inside = [...kept, home].filter((path) => isBelow(path, folder)).toSorted();
    const puts = inside.flatMap((path) => {
      const place = join(own, path.slice(folder.length));
      if (!inside.some((other) => isBelow(path, other))) makePlace(path, place);
      return ['--put', path === home ? program.stage : path, place];
    });
    return [...puts, '--put', own, folder];
  });
  const isCovered = folders.some((folder) => isBelow(home, folder));
  return [
    ...(isNeeded ? [] : memory).flatMap((path) => ['--memory', path]),
    ...words,
    ...(isCovered ? [] : ['--put', program.stage, home]),
  ];
}

/** Real paths of what is there. A file that is named and does not exist yet is meant with its folder. */
function keptPaths(
  { ownTemporary = [], show, shut = [], emptied = [] }: HiddenHome,
  program: HidingOptions,
): string[] {
  const inEnvironment = Object.values(program.env).flatMap((value) => value.split(':'));
  const installed = (program.env['PATH'] ?? '')
    .split(':')
    .filter((path) => PROGRAMS.test(path))
    .map(dirname);
  const inCommand = program.argv.flatMap((word) => word.match(PATH_IN_COMMAND) ?? []);
  const isShut = (path: string) => [...shut, ...emptied].some((other) => isInside(path, other));
  const named = [...ownTemporary, ...show, program.cwd, ...inEnvironment, ...installed, ...inCommand]
    .filter((path) => path.startsWith('/'))
    .flatMap((path) => realOrNone(path) ?? realOrNone(dirname(path)) ?? []);
  return [...new Set([...named, ...servedSockets().filter((path) => !isShut(path))])].slice(0, MAX_KEPT);
}

/** Programs there load what was installed beside their folder: modules beside `.bin`, libraries beside `bin`. */
const PROGRAMS = /\/\.?s?bin\/?$/;

const PATH_IN_COMMAND = /(?<![\w.~$}/*-])\/[^\s'"`;|&()<>$*?\\]+/g;

/** Where a server listens. The agent's own have ended. */
function servedSockets(): string[] {
  const all = (readOrNull('/proc/net/unix') ?? '').matchAll(LISTENING);
  return [...all].flatMap(([, path = '']) => realOrNone(path) ?? []);
}

/** Number, references, protocol, flags (it accepts connections), type, state, inode and path. */
const LISTENING = /^\S+ \S+ \S+ 00010000 \S+ \S+ +\d+ (\/.*)$/gm;

function makePlace(path: string, place: string): void {
  const isFolder = statSync(path).isDirectory();
  mkdirSync(isFolder ? place : dirname(place), { recursive: true });
  if (!isFolder) writeFileSync(place, '');
}

function folderAt(path: string): string[] {
  const real = realOrNone(path);
  return real !== null && statSync(real).isDirectory() ? [real] : [];
}

function realOrNone(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && isInside(path, folder);
}
