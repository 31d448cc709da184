/**
 * `KeeperLog`: writes down what the keeper of a run takes in, decides, does and waits for, a line each. It is for people who wonder why
 * nothing happens; Mayday itself never acts on it. A run has at most two files: the log, and the one before it.
 */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { keeperLogPaths } from '../act/run-files.ts';
import { currentAttempt, type RunState } from '../core/state/run-state.ts';
import { objectOrNull } from '../core/text/json.ts';
import type { Step } from '../core/step.ts';
import { readPlainFile } from '../platform/file/plain-file.ts';
import type { Redactor } from '../record/redaction/redact.ts';

/** About five thousand turns: days of an ordinary run. */
const MAX_BYTES = 1024 * 1024;

export type KeeperLine = { readonly at: number; readonly pid: number } & Noted;

type Noted =
  | { readonly type: 'keeper_began' }
  /** `decided` null: the fact came too late or twice, and was dropped. */
  | {
      readonly type: 'turn';
      readonly fact: string;
      readonly decided: readonly string[] | null;
      readonly commands: readonly string[];
    }
  | { readonly type: 'command_began'; readonly key: string; readonly command: string }
  | {
      readonly type: 'command_ended';
      readonly key: string;
      readonly command: string;
      readonly tookMs: number;
      /** The name of the error that ended the command. */
      readonly error?: string;
    }
  | ({ readonly type: 'waits' } & WaitingLine)
  | { readonly type: 'keeper_ended'; readonly end: string };

export interface WaitingLine {
  readonly for: 'command' | 'agent' | 'time' | 'host' | 'person' | 'worker' | 'nothing';
  /** The command, the attempt, or the reason. */
  readonly what: string;
  /** When the keeper goes on by itself at the latest; null: no timer is set. */
  readonly until: number | null;
}

interface LogOptions {
  readonly home: string;
  readonly runId: string;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  readonly maxBytes?: number;
}

export class KeeperLog {
  readonly #options: LogOptions;
  readonly #path: string;
  readonly #isEchoed: boolean;
  #bytes: number;
  #waiting = '';

  constructor(options: LogOptions) {
    this.#options = options;
    this.#path = keeperLogPaths(options.home, options.runId).current;
    this.#isEchoed = (options.env['MAYDAY_DEBUG'] ?? '').split(',').includes('keeper');
    this.#bytes = prepared(this.#path);
    this.#note({ type: 'keeper_began' });
  }

  turn(fact: string, step: Step | null): void {
    this.#note({
      type: 'turn',
      fact,
      decided: step === null ? null : step.decisions.map(({ type }) => type),
      commands: step === null ? [] : step.commands.map(({ command }) => command.type),
    });
  }

  /** Resolves or rejects as `work` does. */
  async command<T>(
    { key, type }: { readonly key: string; readonly type: string },
    work: Promise<T>,
  ): Promise<T> {
    const begun = performance.now();
    const named = { key, command: type };
    this.#note({ type: 'command_began', ...named });
    const ended = () =>
      ({ type: 'command_ended', ...named, tookMs: Math.round(performance.now() - begun) }) as const;
    return await work.then(
      (result) => {
        this.#note(ended());
        return result;
      },
      (error: unknown) => {
        this.#note({ ...ended(), error: error instanceof Error ? error.name : typeof error });
        throw error;
      },
    );
  }

  /** Writes a line when the reason changes, not at every look. */
  waits(waiting: WaitingLine): void {
    const said = JSON.stringify(waiting);
    if (said === this.#waiting) return;
    this.#waiting = said;
    this.#note({ type: 'waits', ...waiting });
  }

  ended(end: string): void {
    this.#note({ type: 'keeper_ended', end });
  }

  #note(noted: Noted): void {
    const { home, runId, redactor, maxBytes = MAX_BYTES } = this.#options;
    const line: KeeperLine = { at: Date.now(), pid: process.pid, ...redactor.redactDeep(noted) };
    const text = `${JSON.stringify(line)}\n`;
    if (this.#isEchoed) process.stderr.write(`mayday keeper ${runId}: ${text}`);
    try {
      if (this.#bytes + text.length > maxBytes) {
        renameSync(this.#path, keeperLogPaths(home, runId).previous);
        this.#bytes = 0;
      }
      appendFileSync(this.#path, text, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(text);
    } catch {
      // A full disk must not end a rescue because its log cannot be written; the journal says what became of the run.
    }
  }
}

/** Makes the folder and returns the length of the log. Called only once, so that a run whose files are removed gets no folder back. */
function prepared(path: string): number {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  } catch {
    return 0;
  }
}

/** What the keeper waits for now, by the state of the run and the command under way. */
export function waitingOf(
  state: RunState,
  timers: ReadonlyMap<string, number>,
  acting: string | null,
): WaitingLine {
  const until = timers.size === 0 ? null : Math.min(...timers.values());
  const { life } = state;
  if (acting !== null) return { for: 'command', what: acting, until };
  if (life.type === 'waiting') return { for: life.for, what: life.reason, until: life.until ?? until };
  if (life.type === 'queued') return { for: 'worker', what: 'mayday work', until };
  const attempt = currentAttempt(state);
  if (attempt !== undefined && attempt.startedAt !== null && attempt.endedAt === null)
    return { for: 'agent', what: `attempt ${attempt.number}`, until };
  return { for: 'nothing', what: life.type, until };
}

/** Oldest first; a line that was cut off by a crash is left out. */
export function readKeeperLog(home: string, runId: string): readonly KeeperLine[] {
  const { previous, current } = keeperLogPaths(home, runId);
  return [previous, current].flatMap((path) => {
    const read = readPlainFile(path, 2 * MAX_BYTES);
    return read.type !== 'text'
      ? []
      : read.text.split('\n').flatMap((line) => (objectOrNull(line) as KeeperLine | null) ?? []);
  });
}
