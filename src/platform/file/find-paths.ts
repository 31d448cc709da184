/**
 * `findPaths`: those of the paths that are in a folder; a star in a name stands for any characters. `namesIn`: what is in a folder;
 * nothing, if it cannot be read.
 */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

export function findPaths(folder: string, patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => expand(folder, pattern.split('/')));
}

function expand(folder: string, [name = '', ...rest]: readonly string[]): string[] {
  const found = name.includes('*') ? namesLike(folder, name) : isThere(join(folder, name)) ? [name] : [];
  if (rest.length === 0) return found;
  return found.flatMap((each) => expand(join(folder, each), rest).map((path) => `${each}/${path}`));
}

function namesLike(folder: string, name: string): string[] {
  const [head = '', tail = ''] = name.split('*');
  const isLike = (each: string) =>
    each.length >= head.length + tail.length && each.startsWith(head) && each.endsWith(tail);
  return namesIn(folder).filter(isLike);
}

/** Also of a link that leads nowhere. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

export function namesIn(folder: string, { recursive = false } = {}): string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' });
  } catch {
    return [];
  }
}
