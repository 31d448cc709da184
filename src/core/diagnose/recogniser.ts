/**
 * `Recogniser`: what a line says, in any tool, and what that means, as data. The shape of the line (a statement of failure, a log record,
 * a listing) is judged elsewhere; a recogniser only gives the meaning. `recogniser`: makes one.
 */
import type { FailureClass } from '../vocabulary/classes/failure-class.ts';
import type { Category } from '../vocabulary/classes/class-rule.ts';
import type { Role } from './command/programs.ts';

export interface Recogniser {
  readonly id: string;
  readonly failureClass: FailureClass;
  /** Any of these; they run on one cleaned line of at most `MATCH_CHARS` and must not backtrack beyond linear time. */
  readonly says: readonly RegExp[];
  /** The same line must also say this. */
  readonly and?: RegExp;
  /** A line that says this and also one of these means something else. */
  readonly unless?: RegExp;
  /** Must also occur within a few lines around. */
  readonly near?: RegExp;
  /** Only when the command or the output shows one of these kinds of program. */
  readonly roles?: readonly Role[];
  /** Never where one of these kinds of program ran. */
  readonly without?: readonly Role[];
  /** How telling the words are on their own, without the shape of an error line: 0 (needs the shape) to 1 (needs nothing). */
  readonly alone: number;
  /** Added to the weight (of about 100) where such lines tend to stand beside a better one. */
  readonly lead?: number;
  /** The same words mean a failing build, test or program, by what ran; this class where it is unknown what ran. */
  readonly byRole?: FailureClass;
  readonly recoverable?: boolean;
  readonly transient?: boolean;
  readonly category?: Category;
  /**
   * One sentence; `{name}` is a named group of the pattern or a fact (host, path, file, message), `{name|words}` has words for where it
   * is unknown.
   */
  readonly cause?: string;
  /** What to do about it, in the same form, where this is known better than for the class as a whole. */
  readonly fix?: string;
}

type Row = Omit<Recogniser, 'id' | 'failureClass' | 'says' | 'alone'> & {
  readonly says: RegExp | readonly RegExp[];
  readonly alone?: number;
};

export function recogniser(id: string, failureClass: FailureClass, { says, ...rest }: Row): Recogniser {
  return { id, failureClass, alone: 0.4, ...rest, says: [says].flat() };
}
