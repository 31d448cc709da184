/** `isInside`, `realOrSame`: tell whether a path is a folder or lies in it, and where a path really leads. */
import { realpathSync } from 'node:fs';
import { resolve, sep } from 'node:path';

/** Compares text: both paths are absolute and have no `..` in them; links are followed before. */
export function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** The path with all links followed; what does not exist stays, as an absolute path. */
export function realOrSame(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
