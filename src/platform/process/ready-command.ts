/** `ReadyCommand`: the folder and the attendant of a command, made ready while what the command needs is still prepared. */
import { randomBytes } from 'node:crypto';
import { callAttendant, dismissAttendant, type WaitingAttendant } from '../container/call-attendant.ts';
import { commandFolder, noteTemporary, removeCommandFolder } from './command-folder.ts';

export interface Readied {
  readonly directory: string;
  readonly marker: string;
  readonly attendant: WaitingAttendant | null;
}

/** The unique name of a command's container. */
export function commandMarker(): string {
  return `command.${process.pid}.${randomBytes(8).toString('hex')}`;
}

export class ReadyCommand {
  readonly #home: string | undefined;
  #readied: Readied | null;

  private constructor(home: string | undefined, readied: Readied) {
    this.#home = home;
    this.#readied = readied;
  }

  static async make(home: string | undefined): Promise<ReadyCommand> {
    const directory = await commandFolder(home, null);
    const marker = commandMarker();
    const attendant = await callAttendant(directory, undefined, marker);
    return new ReadyCommand(home, { directory, marker, attendant });
  }

  /** For the first command with this home; it owns the folder from then on. Null for every other. */
  async take(home: string | undefined, temporary: string | null): Promise<Readied | null> {
    const readied = this.#readied;
    if (readied === null || home !== this.#home) return null;
    this.#readied = null;
    await noteTemporary(readied.directory, temporary);
    return readied;
  }

  /** Leaves nothing of what was not taken. */
  async drop(): Promise<void> {
    const readied = this.#readied;
    this.#readied = null;
    if (readied === null) return;
    if (readied.attendant !== null) dismissAttendant(readied.attendant);
    await removeCommandFolder(readied.directory);
  }
}
