/** `TerminalScreen`: what a terminal shows after the bytes that a program wrote: lines, wrapping, colours; as much as Mayday uses. */
import { textWidth } from '../../src/core/text/width.ts';

export interface Cell {
  readonly character: string;
  /** The parameters of the last SGR sequence, e.g. `1;33`; empty: plain. */
  readonly tone: string;
}

const PARTS = /\u001B\[([?\d;]*)([A-Za-z])|[\s\S]/gu; // eslint-disable-line no-control-regex

export class TerminalScreen {
  readonly columns: number;
  readonly lines: Cell[][] = [[]];
  #row = 0;
  #column = 0;
  #tone = '';

  constructor(columns: number) {
    this.columns = columns;
  }

  write(text: string): void {
    for (const [part, values = '', command] of text.matchAll(PARTS)) {
      if (command !== undefined) this.#obey(command, values);
      else if (part === '\r') this.#column = 0;
      else if (part === '\n') this.#goTo(this.#row + 1);
      else if (part >= ' ') this.#put(part);
    }
  }

  /** The text of each line, without the blanks at its end. */
  text(): string[] {
    return this.lines.map((line) =>
      line
        .map(({ character }) => character)
        .join('')
        .trimEnd(),
    );
  }

  #obey(command: string, values: string): void {
    if (command === 'm') this.#tone = values === '0' ? '' : values;
    else if (command === 'K') this.lines[this.#row] = [];
    else if (command === 'A') this.#row = Math.max(0, this.#row - Number(values || 1));
  }

  #goTo(row: number): void {
    this.#row = row;
    while (this.lines.length <= row) this.lines.push([]);
  }

  #put(character: string): void {
    const width = textWidth(character);
    if (this.#column + width > this.columns) {
      this.#goTo(this.#row + 1);
      this.#column = 0;
    }
    const line = this.lines[this.#row] as Cell[];
    while (line.length < this.#column) line.push({ character: ' ', tone: '' });
    line[this.#column] = { character, tone: this.#tone };
    for (let rest = 1; rest < width; rest += 1) line[this.#column + rest] = { character: '', tone: '' };
    this.#column += width;
  }
}
