/**
 * `StandardOut`: standard output or standard error of a command. A short answer to a file or a pipe is written straight to the descriptor:
 * Node's streams take 2 MB and 3 ms to load. A terminal and all that is long have the stream.
 */
import { fstatSync, statSync, writeSync } from 'node:fs';

/** What a pipe holds. A reader that is slow must not keep the command from hearing a signal: what is more goes through the stream. */
const PIPE_BYTES = 65_536;

export class StandardOut {
  readonly #descriptor: number;
  readonly #open: () => NodeJS.WriteStream;
  #stream: NodeJS.WriteStream | null = null;
  #isTerminal: boolean | null = null;
  #written = 0;

  constructor(descriptor: number, open: () => NodeJS.WriteStream) {
    this.#descriptor = descriptor;
    this.#open = open;
  }

  /** For all that needs more than `write`: events, the size of the terminal, a protocol. */
  get stream(): NodeJS.WriteStream {
    return (this.#stream ??= this.#open());
  }

  get isTTY(): boolean {
    return (this.#isTerminal ??= mayBeTerminal(this.#descriptor) && this.stream.isTTY);
  }

  get columns(): number | undefined {
    return this.isTTY ? this.stream.columns : undefined;
  }

  get hasSpoken(): boolean {
    return this.#written > 0;
  }

  /** False: the reader is slow, and `stream` tells when it has caught up. */
  write(text: string): boolean {
    const bytes = Buffer.from(text);
    this.#written += bytes.length;
    if (this.isTTY || this.#stream !== null || this.#written > PIPE_BYTES) return this.stream.write(bytes);
    let at = 0;
    try {
      while (at < bytes.length) at += writeSync(this.#descriptor, bytes, at);
      return true;
    } catch {
      // Full and not waiting, closed, no space: the stream waits for room, or meets the same error and tells it.
      return this.stream.write(bytes.subarray(at));
    }
  }
}

/** To know it for sure, Node loads its streams; `/dev/null` is the device that is no terminal and yet met every day. */
function mayBeTerminal(descriptor: number): boolean {
  const device = fstatSync(descriptor);
  return device.isCharacterDevice() && device.rdev !== statSync('/dev/null').rdev;
}
