/**
 * `runBySmallShell`: runs a program as a child of a small shell that waits for such work, instead of as a child of this process. With each
 * program that a process starts, the system copies the tables of its memory: 4 ms for a keeper, a tenth of it for a shell.
 * Only for programs that leave no process behind: it could write into the output of the next one.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { constants } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { readProcess } from './proc-table.ts';
import { systemProgram } from './system-program.ts';

export interface ShellCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly input: Buffer | string | undefined;
  readonly signal: AbortSignal;
  readonly onStdout: (chunk: Buffer) => void;
  readonly onStderr: (chunk: Buffer) => void;
}

export interface ShellEnd {
  readonly exitCode: number | null;
  readonly killedBy: string | null;
}

/** Null: nothing was run. The caller has to start the program itself, and learns why if it cannot be started. */
export async function runBySmallShell(call: ShellCall): Promise<ShellEnd | null> {
  const text = commandText(call);
  if (text === null) return null;
  const shell = idle.pop() ?? (shells < FEW ? null : await nextShell()) ?? SmallShell.start();
  if (shell === null) return null;
  const status = await shell.run(text, call);
  const killedBy = status === null ? 'SIGKILL' : status > LAST_OWN_STATUS ? signalOf(status - 128) : null;
  // What a killed program left running must not write into the output of the next one.
  if (killedBy === null && shell.isFit && idle.length < MAX_IDLE) handOn(shell);
  else shell.end();
  if (status !== null && NOT_STARTED.has(status)) return null;
  return killedBy === null ? { exitCode: status, killedBy } : { exitCode: null, killedBy };
}

/** Shells without work. */
let idle: SmallShell[] = [];
const MAX_IDLE = 4;
let shells = 0;
/** As many programs run at once without waiting. */
const FEW = 2;

/** Most programs end before another shell has started, which takes this process itself 4 ms. */
const PATIENCE_MS = 25;
/** Calls that wait for a shell, in their order. */
const waiting = new Set<(shell: SmallShell) => void>();

/** Null: none has ended its work in time. */
async function nextShell(): Promise<SmallShell | null> {
  return await new Promise((resolve) => {
    const giveUp = setTimeout(() => take(null), PATIENCE_MS);
    const take = (shell: SmallShell | null) => {
      clearTimeout(giveUp);
      waiting.delete(take);
      resolve(shell);
    };
    waiting.add(take);
  });
}

function handOn(shell: SmallShell): void {
  const [first] = waiting;
  if (first === undefined) idle.push(shell);
  else first(shell);
}

const COULD_NOT_START = 127;
const NOT_STARTED = new Set([126, COULD_NOT_START]);
/** Git ends with 129 after a wrong option; a shell says 128 and the signal. */
const LAST_OWN_STATUS = 129;

function signalOf(number: number): string | null {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0] ?? null;
}

/** Longer input takes a shell longer than a start takes this process. */
const MAX_INPUT_BYTES = 16 * 1024;
/** Names that a shell lets nobody set are no names of variables that a program needs. */
const SETTABLE = /^(?!(?:E?UID|PPID|OPTIND|LINENO|SHELLOPTS|BASHOPTS|BASH_.*|_)$)[A-Za-z_]\w*$/;

function commandText({ program, args, cwd, env, input = '' }: ShellCall): string | null {
  const bytes = Buffer.from(input);
  if (bytes.length > MAX_INPUT_BYTES) return null;
  const variables = Object.entries(env).filter(([name, value]) => value !== undefined && SETTABLE.test(name));
  const settings = variables.map(([name, value]) => `${name}=${quoted(value as string)}`);
  const words = [...settings, ...[program, ...args].map(quoted)].join(' ');
  const from = bytes.length === 0 ? '' : `printf '${escaped(bytes)}' | `;
  const text = `cd -P -- ${quoted(cwd)} || exit ${COULD_NOT_START}; ${from}${words} 2>&${STDERR} ${STDERR}>&-`;
  return text.includes('\0') ? null : text;
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** For the format of `printf`; one that begins with a dash would be taken for an option. */
function escaped(bytes: Buffer): string {
  return bytes
    .toString('latin1')
    .replace(/[^\w\n ./:,@]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
}

/** Where programs write their errors. What the shell itself says goes nowhere: bash prints all variables of a program that was killed. */
const STDERR = 3;
const MARK_BYTES = 16;
const STATUS_DIGITS = 3;

class SmallShell {
  static start(): SmallShell | null {
    const child = spawn(systemProgram('sh'), [], {
      cwd: '/',
      env: {},
      // A group of its own: it is killed with what it runs.
      detached: true,
      stdio: 'pipe',
    });
    child.on('error', () => undefined);
    return child.pid === undefined ? null : new SmallShell(child, child.pid);
  }

  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #pid: number;
  /** No program can know it, so none can print it. It stands behind all that a program prints. */
  readonly #mark = randomBytes(MARK_BYTES).toString('hex');

  readonly #ended: Promise<unknown>;
  #isClean = true;

  constructor(child: ChildProcessByStdio<Writable, Readable, Readable>, pid: number) {
    this.#child = child;
    this.#pid = pid;
    child.stdin.on('error', () => undefined);
    shells += 1;
    child.on('exit', () => {
      shells -= 1;
      idle = idle.filter((shell) => shell !== this);
      // What a killed shell ran would go on beside the next try. No process gets the number of the shell while its group has members.
      if (readProcess(pid) === null) this.#killGroup();
    });
    this.#ended = new Promise((resolve) => child.on('close', resolve));
    child.stdin.write(`exec ${STDERR}>&2 2>/dev/null\n`);
    this.#letEnd(true);
  }

  get isFit(): boolean {
    return this.#isClean && this.#lives;
  }

  get #lives(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** An idle shell keeps no process alive. */
  #letEnd(isIdle: boolean): void {
    const handles = [this.#child, this.#child.stdin, this.#child.stdout, this.#child.stderr];
    for (const handle of handles as { ref(): void; unref(): void }[])
      if (isIdle) handle.unref();
      else handle.ref();
  }

  /** Its status; null if it was killed with the shell. */
  async run(text: string, { signal, onStdout, onStderr }: ShellCall): Promise<number | null> {
    const end = () => this.end();
    signal.addEventListener('abort', end, { once: true });
    // Its caller may have given up while it waited for a shell.
    if (signal.aborted) end();
    this.#letEnd(false);
    const { stdin, stdout, stderr } = this.#child;
    try {
      const said = Promise.all([
        untilMark(stdout, this.#mark, onStdout),
        untilMark(stderr, this.#mark, onStderr),
      ]);
      const mark = `printf '${this.#mark}%03d' $1`;
      stdin.write(`(${text}\n) </dev/null\nset -- $?; ${mark}; ${mark} >&${STDERR}\n`);
      const [out, err] = await said;
      this.#isClean = out?.isLast === true && err?.isLast === true;
      if (out !== null && err !== null) return out.status;
      await this.#ended;
      // A shell that ends by itself had no process left to start one.
      return this.#child.signalCode === null ? COULD_NOT_START : null;
    } finally {
      signal.removeEventListener('abort', end);
      this.#letEnd(true);
    }
  }

  /** With all that it runs. */
  end(): void {
    this.#isClean = false;
    if (this.#lives) return this.#killGroup();
    // Its number may be another program's by now. What left its group loses its output.
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #killGroup(): void {
    try {
      process.kill(-this.#pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

interface Mark {
  readonly status: number;
  /** Nothing was printed behind it. */
  readonly isLast: boolean;
}

/** Hands on all that is printed before the mark. Null: the stream ended without it. */
async function untilMark(
  stream: Readable,
  mark: string,
  tell: (chunk: Buffer) => void,
): Promise<Mark | null> {
  const markBytes = mark.length + STATUS_DIGITS;
  let held: Buffer = Buffer.alloc(0);
  return await new Promise<Mark | null>((resolve) => {
    const settle = (found: Mark | null) => {
      stream.off('data', onData).off('close', onClose);
      resolve(found);
    };
    const onData = (chunk: Buffer) => {
      const all = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
      const at = all.indexOf(mark);
      const end = at + markBytes;
      const isWhole = at >= 0 && all.length >= end;
      const told = at >= 0 ? at : Math.max(0, all.length - markBytes);
      if (told > 0) tell(all.subarray(0, told));
      held = all.subarray(told);
      if (isWhole)
        settle({
          status: Number(all.toString('latin1', at + mark.length, end)),
          isLast: all.length === end,
        });
    };
    const onClose = () => {
      tell(held);
      settle(null);
    };
    if (stream.closed) onClose();
    else stream.on('data', onData).on('close', onClose);
  });
}
