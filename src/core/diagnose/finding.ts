/** `LineFinding`, `nameless`: a line that states a failure, with its meaning and its weight. `ReadOutput`: what they are found in. */
import type { FailureClass } from '../vocabulary/classes/failure-class.ts';
import type { Role } from '../lexicon/programs.ts';
import type { Shape } from './lines/shape.ts';
import type { Line } from './lines/read-lines.ts';
import type { Recogniser } from '../lexicon/recogniser.ts';

export interface LineFinding {
  readonly line: Line;
  readonly index: number;
  readonly shape: Shape;
  readonly failureClass: FailureClass;
  readonly recogniser: Recogniser | null;
  readonly groups: Readonly<Record<string, string>>;
  /** 0 to 1. */
  readonly authority: number;
}

/** A line of which nothing is known but its shape. */
export function nameless(
  line: Line,
  index: number,
  shape: Shape,
  failureClass: FailureClass,
  authority: number,
): LineFinding {
  return { line, index, shape, failureClass, recogniser: null, groups: {}, authority };
}

/** An output as it is judged: its lines, the shape of each, whether it only quotes something, and which programs spoke. */
export interface ReadOutput {
  readonly lines: readonly Line[];
  readonly shapes: readonly Shape[];
  readonly quoted: readonly boolean[];
  readonly roles: ReadonlySet<Role>;
}
