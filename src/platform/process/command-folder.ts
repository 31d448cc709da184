/**
 * `commandFolder`: a folder for a command that runs now, with a note of who runs it where the home holds it. `sweepCommands`: deletes the
 * folders of commands whose owner was killed.
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from '../file/make-folder.ts';
import { readPlainJson } from '../file/plain-file.ts';
import { removeFolder } from '../file/remove-folder.ts';
import { temporaryFolder } from '../storage-error.ts';
import { isAlive, type ProcessIdentity, selfIdentity } from './process-identity.ts';

const COMMANDS = 'commands';
const NOTE = '.json';
const PREFIX = 'mayday-';

const MAX_NOTE_BYTES = 4_096;

interface Note {
  readonly owner: ProcessIdentity;
  /** A folder in the system's temporary folder that goes with the command. */
  readonly temporary: string | null;
}

/** Inside the hidden home, if there is one: the command cannot write its own exit note there. */
export async function commandFolder(home: string | undefined, temporary: string | null): Promise<string> {
  if (home === undefined) return temporaryFolder(`${PREFIX}command-`);
  const parent = join(home, COMMANDS);
  makeFolder(parent);
  const folder = mkdtempSync(join(parent, `${PREFIX}command-`));
  const note: Note = { owner: selfIdentity(), temporary };
  writeFileSync(`${folder}${NOTE}`, JSON.stringify(note), { mode: 0o600 });
  return folder;
}

export async function removeCommandFolder(folder: string): Promise<void> {
  await removeFolder(folder);
  rmSync(`${folder}${NOTE}`, { force: true });
}

/** A command ends with its owner: what it leaves is in no use. A note that cannot be read is left alone. */
export async function sweepCommands(home: string): Promise<void> {
  const parent = join(home, COMMANDS);
  if (!existsSync(parent)) return;
  for (const name of readdirSync(parent).filter((one) => one.endsWith(NOTE))) {
    const { owner, temporary } = (readPlainJson(join(parent, name), MAX_NOTE_BYTES) ?? {}) as Partial<Note>;
    if (owner === undefined || isAlive(owner)) continue;
    if (typeof temporary === 'string' && isOurs(temporary)) await removeFolder(temporary);
    await removeCommandFolder(join(parent, name.slice(0, -NOTE.length)));
  }
}

function isOurs(path: string): boolean {
  return dirname(path) === tmpdir() && basename(path).startsWith(PREFIX);
}
