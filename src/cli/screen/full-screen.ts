/** `FullScreen`: the alternate screen of a terminal and its keys. However it ends, the terminal is as before. */
import { emitKeypressEvents, type Key as ReadKey } from 'node:readline';
import type { Key } from './watch-view.ts';
import type { Size } from './draw-watch.ts';

/** Alternate screen, no cursor, no line wrap, pasted text marked as such; and all of it back. */
const ENTER = '\u001B[?1049h\u001B[?25l\u001B[?7l\u001B[?2004h';
const LEAVE = '\u001B[?2004l\u001B[?7h\u001B[?25h\u001B[?1049l';
const CLEAR = '\u001B[2J';
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export interface ScreenEvents {
  readonly onKey: (key: Key) => void;
  /** The terminal has another size. */
  readonly onResize: () => void;
  /** No further key can come. */
  readonly onEnd: () => void;
}

export class FullScreen {
  readonly #out: NodeJS.WriteStream;
  readonly #in: NodeJS.ReadStream;
  readonly #events: ScreenEvents;
  #drawn: readonly string[] = [];
  #isOpen = true;

  constructor(out: NodeJS.WriteStream, input: NodeJS.ReadStream, events: ScreenEvents) {
    this.#out = out;
    this.#in = input;
    this.#events = events;
    out.write(`${ENTER}${CLEAR}`);
    out.on('resize', this.#resize);
    emitKeypressEvents(input);
    input.on('keypress', this.#key).once('end', events.onEnd);
    input.setRawMode(true);
    input.resume();
    process.once('exit', this.#restore).once('uncaughtExceptionMonitor', this.#restore);
    for (const signal of ENDING) process.once(signal, this.#endedBy);
  }

  get size(): Size {
    return { columns: this.#out.columns || 80, rows: this.#out.rows || 24 };
  }

  draw(lines: readonly string[]): void {
    const news = lines.flatMap((line, row) =>
      line === this.#drawn[row] ? [] : [`\u001B[${row + 1};1H\u001B[2K${line}`],
    );
    if (news.length > 0) this.#out.write(news.join(''));
    this.#drawn = lines;
  }

  /** The next `draw` writes every line. */
  clear(): void {
    this.#drawn = [];
    this.#out.write(CLEAR);
  }

  close(): void {
    this.#restore();
    this.#out.off('resize', this.#resize);
    this.#in.off('keypress', this.#key).off('end', this.#events.onEnd);
    this.#in.pause();
    process.off('exit', this.#restore).off('uncaughtExceptionMonitor', this.#restore);
    for (const signal of ENDING) process.off(signal, this.#endedBy);
  }

  readonly #resize = () => {
    this.clear();
    this.#events.onResize();
  };

  readonly #key = (text: string | undefined, key: ReadKey) => {
    const writes = text !== undefined && !key.ctrl && !key.meta && !/\p{Cc}/u.test(text);
    this.#events.onKey({ name: key.name ?? '', text: writes ? text : '', ctrl: key.ctrl === true });
  };

  readonly #restore = () => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#in.setRawMode(false);
    this.#out.write(LEAVE);
  };

  /** The signal ends the process as it would without a screen. */
  readonly #endedBy = (signal: NodeJS.Signals) => {
    this.close();
    process.kill(process.pid, signal);
  };
}
