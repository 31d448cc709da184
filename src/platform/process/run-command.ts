/** `runCommand`: runs a check, a setup or a probe to its end in a container of its own. It never outlives the process that started it. */
import { createHash, randomBytes } from 'node:crypto';
import { fstatSync } from 'node:fs';
import { type FileHandle, open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT_FILE, type ExitNote, readNote, spoolPaths } from '../container/attempt-files.ts';
import { release, startContained } from '../container/container.ts';
import type { ContainerHandle } from '../container/container-handle.ts';
import type { HiddenHome } from '../container/hide-home.ts';
import { GrowingPause } from '../growing-pause.ts';
import { MaydayError } from '../mayday-error.ts';
import { isEmpty } from '../container/observe.ts';
import { commandFolder, removeCommandFolder } from './command-folder.ts';
import { isAlive } from './process-identity.ts';
import { readSpoolMark, trimSpool } from '../container/spool-trim.ts';
import { kill, terminate } from '../container/stop.ts';

export interface RunCommand {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Of longer output the middle is left out, never the end, where the reason for a failure stands. */
  readonly outputLimitBytes?: number;
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal | undefined;
  readonly hidden?: HiddenHome | undefined;
  /** A temporary folder of the command; who sweeps the home deletes it, if this process is killed before. */
  readonly temporary?: string;
}

export interface CommandResult {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly timedOut: boolean;
  /** The attendant of the command died before it: how the command would have ended is not known. */
  readonly isLost: boolean;
  /** Stdout and stderr in the order they were written. */
  readonly output: string;
  /** SHA-256 of all output, with the part that was left out. */
  readonly outputHash: string;
  readonly durationMs: number;
}

const OUTPUT_LIMIT_BYTES = 256 * 1024;
const READ_BYTES = 1024 * 1024;
/** Most commands are short: they are looked at often at first, then 40 times a second. */
const LONGEST_PAUSE_MS = 25;
/** Enough for a test runner that gets TERM to print its results; a check gets no more time. */
const TERM_GRACE_MS = 2_000;
/** A process that lives longer than this after SIGKILL cannot be killed, and the caller must know. */
const KILL_GRACE_MS = 30_000;
const TRIM_ABOVE_BYTES = 64 * 1024 * 1024;
/** A program can write as fast as it is read: between two looks at the clock no more is read than this. */
const LOOK_BYTES = 64 * 1024 * 1024;

export async function runCommand(command: RunCommand): Promise<CommandResult> {
  command.signal?.throwIfAborted();
  const directory = await commandFolder(command.hidden?.home, command.temporary ?? null);
  const seal = randomBytes(16).toString('hex');
  let handle: ContainerHandle | undefined;
  try {
    const stdinFile = command.input === undefined ? null : join(directory, 'stdin');
    if (stdinFile !== null) await writeFile(stdinFile, command.input ?? '', { mode: 0o600 });
    const begun = performance.now();
    handle = await startContained({
      attemptDir: directory,
      argv: command.argv,
      cwd: command.cwd,
      env: command.env,
      stdinFile,
      marker: `command.${process.pid}.${randomBytes(8).toString('hex')}`,
      mergeOutput: true,
      endsWithStarter: true,
      seal,
      hidden: command.hidden,
    });
    return await follow(command, handle, begun, seal);
  } finally {
    if (handle !== undefined) await end(handle);
    await removeCommandFolder(directory);
  }
}

async function follow(
  command: RunCommand,
  handle: ContainerHandle,
  begun: number,
  seal: string,
): Promise<CommandResult> {
  const exitNote = (): ExitNote | null => {
    const note = readNote<ExitNote>(handle.attemptDir, EXIT_FILE);
    return note?.seal === seal ? note : null;
  };
  const output = new Output(
    spoolPaths(handle.attemptDir).stdout,
    command.outputLimitBytes ?? OUTPUT_LIMIT_BYTES,
  );
  try {
    let timedOut = false;
    const pause = new GrowingPause(LONGEST_PAUSE_MS);
    for (;;) {
      const exit = exitNote();
      const ended = exit !== null || !isAlive(handle.attendant);
      const sinceMs = performance.now() - begun;
      if (ended) await end(handle);
      await output.readOn(ended ? Infinity : LOOK_BYTES);
      if (ended) {
        const note = exit ?? exitNote();
        return {
          exitCode: note?.exitCode ?? null,
          signal: note?.signal ?? null,
          timedOut,
          isLost: note === null && !timedOut,
          ...output.result(),
          durationMs: Math.round(sinceMs),
        };
      }
      command.signal?.throwIfAborted();
      if (!timedOut && sinceMs >= command.timeoutMs) {
        timedOut = true;
        terminate(handle);
      } else if (timedOut && sinceMs >= command.timeoutMs + TERM_GRACE_MS) await kill(handle);
      await pause.wait();
    }
  } finally {
    await output.close();
  }
}

/** Kills all processes that the command left running. */
async function end(handle: ContainerHandle): Promise<void> {
  const deadline = performance.now() + KILL_GRACE_MS;
  while (!(await isEmpty(handle))) {
    if (performance.now() > deadline)
      throw new MaydayError('COMMAND_UNKILLABLE', 'a command did not end although it was killed', [
        ['did', 'its processes were sent SIGKILL for 30 seconds'],
        ['do', 'look for a hung disk or network file system, then run the command again'],
      ]);
    await kill(handle);
  }
  release(handle);
}

/** Follows the spool in bounded memory, hashes all of it, and frees its disk space as it is read. */
class Output {
  readonly #path: string;
  readonly #kept: HeadAndTail;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafeSlow(READ_BYTES);
  #file: FileHandle | undefined;
  #offset = 0;

  constructor(path: string, limitBytes: number) {
    this.#path = path;
    this.#kept = new HeadAndTail(limitBytes);
  }

  async readOn(mostBytes: number): Promise<void> {
    const file = (this.#file ??= await open(this.#path, 'r').catch(() => undefined));
    if (file === undefined) return;
    const end = this.#offset + mostBytes;
    while (this.#offset < end) {
      const { bytesRead } = await file.read(this.#buffer, 0, READ_BYTES, this.#offset);
      if (bytesRead === 0) break;
      const bytes = this.#buffer.subarray(0, bytesRead);
      this.#hash.update(bytes);
      this.#kept.add(bytes);
      this.#offset += bytesRead;
      await this.#trim(file);
    }
  }

  async #trim(file: FileHandle): Promise<void> {
    const mark = readSpoolMark(this.#path);
    if (this.#offset - mark.trimmedBytes < TRIM_ABOVE_BYTES) return;
    const next = await trimSpool(this.#path, mark, this.#offset, () => fstatSync(file.fd).size);
    if (next.epoch !== mark.epoch) this.#offset = 0;
  }

  result(): Pick<CommandResult, 'output' | 'outputHash'> {
    return { output: this.#kept.text(), outputHash: this.#hash.copy().digest('hex') };
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}

/** Keeps the first and the last part of a stream; the bytes between are counted and left out. */
class HeadAndTail {
  readonly #headLimit: number;
  readonly #tailLimit: number;
  #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #leftOutBytes = 0;

  constructor(limitBytes: number) {
    this.#headLimit = Math.ceil(limitBytes / 2);
    this.#tailLimit = Math.floor(limitBytes / 2);
  }

  add(bytes: Buffer): void {
    const toHead = Math.min(this.#headLimit - this.#headBytes, bytes.length);
    if (toHead > 0) {
      this.#head.push(Buffer.from(bytes.subarray(0, toHead)));
      this.#headBytes += toHead;
    }
    const rest = bytes.subarray(toHead);
    const kept = rest.subarray(Math.max(0, rest.length - this.#tailLimit));
    this.#leftOutBytes += rest.length - kept.length;
    if (kept.length === 0) return;
    this.#tail.push(Buffer.from(kept));
    this.#tailBytes += kept.length;
    // Pieces are dropped in bulk: trimming the front at each of many small writes would copy the tail every time.
    if (this.#tailBytes > 2 * this.#tailLimit) this.#shorten();
  }

  text(): string {
    this.#shorten();
    const head = Buffer.concat(this.#head).toString('utf8');
    const tail = Buffer.concat(this.#tail).toString('utf8');
    if (this.#leftOutBytes === 0) return Buffer.concat([...this.#head, ...this.#tail]).toString('utf8');
    return `${head}\n[... ${this.#leftOutBytes} bytes left out ...]\n${tail}`;
  }

  #shorten(): void {
    const extra = this.#tailBytes - this.#tailLimit;
    if (extra <= 0) return;
    this.#tail = [Buffer.concat(this.#tail).subarray(extra)];
    this.#tailBytes -= extra;
    this.#leftOutBytes += extra;
  }
}
