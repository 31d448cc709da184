/** `inForeground`: whether this process may take the keys of its terminal. A job in the background would be stopped when it tries. */
import { readFileSync } from 'node:fs';

/** True where the kernel does not tell: there a job in the background is stopped until `fg`. */
export function inForeground(): boolean {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    const [, , processGroup, , , foregroundGroup] = fields;
    return processGroup === foregroundGroup;
  } catch {
    return true;
  }
}
