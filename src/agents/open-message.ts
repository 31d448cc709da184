/** `OpenMessage`: the end of the message that an agent writes now, for the detectors; bounded, and never an entry of the transcript. */
import type { OpenText } from '../core/detect/tick.ts';

/** From this length on the beginning is cut off. */
const MOST_CHARS = 20_000;
const KEPT_CHARS = 16_000;
/** It is cut at the beginning of a line, unless the line is longer. */
const LINE_CHARS = 1_000;
const FENCE = /^ {0,3}(?:```|~~~)/gm;

export class OpenMessage {
  #text = '';
  #chars = 0;
  #of = '';

  get text(): OpenText | null {
    return this.#chars === 0 ? null : { text: this.#text, chars: this.#chars };
  }

  /** A piece of another block (`of`) begins a new message. */
  add(piece: string, of = ''): void {
    if (of !== this.#of) this.end();
    this.#of = of;
    this.#chars += piece.length;
    this.#text += piece;
    if (this.#text.length > MOST_CHARS) this.#text = endOf(this.#text);
  }

  end(): void {
    this.#text = '';
    this.#chars = 0;
  }
}

function endOf(text: string): string {
  const wanted = text.length - KEPT_CHARS;
  const from = Math.max(text.lastIndexOf('\n', wanted) + 1, wanted - LINE_CHARS);
  const fences = text.slice(0, from).match(FENCE)?.length ?? 0;
  // What began inside of a code block is still code.
  return `${fences % 2 === 1 ? '```\n' : ''}${text.slice(from)}`;
}
