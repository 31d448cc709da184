/** `StandardOut`: standard output or standard error of a command, and whether it has said anything. */
export class StandardOut {
  /** For all that needs more than `write`: events, the size of the terminal, a protocol. */
  readonly stream: NodeJS.WriteStream;
  hasSpoken = false;

  constructor(stream: NodeJS.WriteStream) {
    this.stream = stream;
  }

  get isTTY(): boolean {
    return this.stream.isTTY;
  }

  get columns(): number | undefined {
    return this.isTTY ? this.stream.columns : undefined;
  }

  /** False: the reader is slow, and `stream` tells when it has caught up. */
  write(text: string): boolean {
    this.hasSpoken ||= text !== '';
    return this.stream.write(text);
  }
}
