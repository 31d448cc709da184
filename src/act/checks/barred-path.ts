/**
 * `barredPath`: finds what keeps a user from starting a program: a folder on the way to it that the user may not enter, or a file that
 * the user may not execute. Links and the interpreter of a script lead out of the tree, often into another user's home.
 */
import { closeSync, existsSync, openSync, readlinkSync, readSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { BarredPath } from '../../core/vocabulary/work.ts';
import { isExecutable, isFile } from '../../platform/file/file-kind.ts';
import { isInside, realOrSame } from '../../platform/file/inside.ts';
import { type AgentUser, isTrueFor } from '../../platform/process/agent-user.ts';

/** Linux follows at most 40 links. */
const MAX_STEPS = 40;
/** Linux reads no more of it. */
const FIRST_LINE_BYTES = 256;

/** `user` is null for the one that Mayday itself is. Only what lies outside of `tree` counts: the work can mend the rest. */
export function barredPath(program: string, tree: string, user: AgentUser | null): BarredPath | null {
  const may = (path: string) =>
    user === null ? isExecutable(path) : isTrueFor(user, 'test -x "$1"', [path]);
  for (const needs of neededBy(program)) {
    if ([tree, realOrSame(tree)].some((top) => isInside(needs, top)) || !existsSync(needs) || may(needs))
      continue;
    const path = foldersOf(needs).find((folder) => !may(folder)) ?? needs;
    return { user: user?.name ?? null, path, needs };
  }
  return null;
}

/** The file, what its links lead to, and the interpreter that its first line names. */
function neededBy(program: string): string[] {
  const needed: string[] = [];
  for (let next: string | null = program; next !== null && needed.length < MAX_STEPS; next = stepAfter(next))
    needed.push(next);
  return needed;
}

function stepAfter(file: string): string | null {
  try {
    const target = readlinkSync(file);
    return isAbsolute(target) ? target : join(realpathSync(dirname(file)), target);
  } catch {
    return isFile(file) ? interpreterOf(file) : null;
  }
}

/** The program that the first line of a script names; null also where the script may be executed, but not read. */
export function interpreterOf(file: string): string | null {
  const first = Buffer.alloc(FIRST_LINE_BYTES);
  let opened: number | null = null;
  try {
    opened = openSync(file, 'r');
    readSync(opened, first);
  } catch {
    return null;
  } finally {
    if (opened !== null) closeSync(opened);
  }
  return /^#! *(\S+)/.exec(first.toString('latin1'))?.[1] ?? null;
}

/** From the top down. */
function foldersOf(path: string): string[] {
  const folder = dirname(path);
  return folder === path ? [] : [...foldersOf(folder), folder];
}
