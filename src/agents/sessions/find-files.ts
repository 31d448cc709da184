/** `newestFiles`: the newest files of a folder tree whose name matches, in bounded memory. A folder that cannot be read is skipped. */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionFile, StoreName } from './session-store.ts';

/** Enough for years of sessions; beyond it the newest are found by folder order. */
const LOOKED_AT = 20_000;

export function newestFiles(
  store: StoreName,
  root: string,
  depth: number,
  name: RegExp,
  limit: number,
): readonly SessionFile[] {
  const found: SessionFile[] = [];
  const folders: { readonly path: string; readonly depth: number }[] = [{ path: root, depth }];
  let looked = 0;
  while (folders.length > 0 && looked < LOOKED_AT) {
    const folder = folders.pop();
    if (folder === undefined) break;
    for (const entry of entriesOf(folder.path)) {
      looked++;
      const path = join(folder.path, entry.name);
      if (entry.isDirectory() && folder.depth > 0) folders.push({ path, depth: folder.depth - 1 });
      else if (entry.isFile() && name.test(entry.name))
        found.push({ store, path, sessionId: null, writtenAt: writtenAt(path) });
    }
  }
  return found.sort((a, b) => b.writtenAt - a.writtenAt).slice(0, limit);
}

function entriesOf(path: string) {
  try {
    // Names of days and sessions sort by time; the newest come last and are popped first.
    return readdirSync(path, { withFileTypes: true }).sort((a, b) => a.name.localeCompare(b.name));
  } catch {
    return [];
  }
}

function writtenAt(path: string): number {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return 0;
  }
}
