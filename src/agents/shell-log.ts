/**
 * `ShellLog`, `isPrompt`: reads the output of a program that prints the commands it runs (`$ make`) as calls with their results. A call is
 * told when the next one begins: only then its output is whole.
 */
import type { TranscriptEntry } from '../core/vocabulary/transcript.ts';

/** What `set -x` prints (`+ make`) is not told from the lines of a diff, and goes to stderr anyway. */
const PROMPT = /^\$ (\S.{0,4000})$/;
export function isPrompt(line: string): boolean {
  return PROMPT.test(line);
}

/** Longer output is cut in the middle: what a command says first and last tells most. */
const OUTPUT_LINES = 200;

interface Block {
  readonly at: number;
  readonly command: string;
  readonly head: string[];
  readonly tail: string[];
}

export class ShellLog {
  #block: Block | null = null;
  #count = 0;

  /** The call that this line ends, with its result. */
  push(line: string, at: number): readonly TranscriptEntry[] {
    const command = PROMPT.exec(line)?.[1];
    if (command === undefined) {
      this.#keep(line);
      return [];
    }
    const ended = this.end(at);
    this.#block = { at, command, head: [], tail: [] };
    return ended;
  }

  end(at: number): readonly TranscriptEntry[] {
    const block = this.#block;
    if (block === null) return [];
    this.#block = null;
    const id = `shell-${++this.#count}`;
    const output = [...block.head, ...block.tail].join('\n');
    return [
      { at: block.at, type: 'tool_call', id, tool: 'shell', input: block.command },
      { at, type: 'tool_result', id, output, isError: false },
    ];
  }

  #keep(line: string): void {
    if (this.#block === null) return;
    const { head, tail } = this.#block;
    if (head.length < OUTPUT_LINES) head.push(line);
    else if (tail.push(line) > OUTPUT_LINES) tail.shift();
  }
}
