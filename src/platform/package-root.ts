/** `PACKAGE_ROOT`: the folder of Mayday's own package, from its sources and from any build of them. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const PACKAGE_ROOT = rootAbove(import.meta.dirname);

function rootAbove(folder: string): string {
  return existsSync(join(folder, 'bin/mayday.js')) ? folder : rootAbove(dirname(folder));
}
