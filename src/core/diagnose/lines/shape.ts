/** `Shape`: what is known of a line before its meaning; `ReadShape`: reads one kind of line. */
import type { LogLevel } from './strip-prefixes.ts';

// biome-ignore format: words stand together
export type ShapeKind =
  | 'blank' | 'frame' | 'source' | 'pass' | 'note' | 'wrapper' | 'test-mark' | 'log' | 'json' | 'diagnostic'
  | 'exception' | 'statement' | 'text';

export interface Shape {
  readonly kind: ShapeKind;
  readonly authority: number;
  readonly level: LogLevel;
  /** The line without prefixes such as `E   `, `npm error`, a time stamp or a level. */
  readonly body: string;
  /** What a recogniser may read: the message, without file names and test names. */
  readonly message: string;
  /** Of an exception. */
  readonly name: string;
  readonly file: string;
  readonly row: number;
  /** The program says itself that it goes on. */
  readonly tempered: boolean;
  /** It names a line of some text, or the rule of a checker: the text is what is wrong. */
  readonly placed: boolean;
}

/** What a shape says of a line; the rest is that of a line nothing is known about. */
export type Read = Pick<Shape, 'kind' | 'authority'> & Partial<Shape>;

/** Reads one kind of line. They are asked in order, and the first that knows the line is believed. */
export type ReadShape<Seen> = (seen: Seen) => Read | null;
