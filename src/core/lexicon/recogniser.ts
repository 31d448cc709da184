/**
 * `Recogniser`: what a line says, in any tool, and which class that means. The shape of the line (a statement of failure, a log record, a
 * listing) is judged elsewhere; a recogniser only gives the meaning. `recognisers`: reads rows of the lexicon.
 */
import type { Category } from '../vocabulary/classes/class-rule.ts';
import type { FailureClass } from '../vocabulary/classes/failure-class.ts';
import { oneOf } from '../text/one-of.ts';
import type { Role } from './programs.ts';

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
}

type Draft = { -readonly [Key in keyof Recogniser]: Recogniser[Key] };
type Condition = 'and' | 'unless' | 'near';

const PATTERN = /^ {4}(?:(?<condition>and|unless|near) )?(?<flags>[ic]) (?<source>.+)$/;
const LISTS: ReadonlySet<string> = new Set(['roles', 'without']);

/**
 * A row begins with `ID CLASS ALONE` and its marks (`roles=git,http lead=-8`); below it, further in, stand its patterns: `i` in any case,
 * `c` as written, behind `and`, `unless` or `near` a condition. What stands in several lines means any of them; a line that stands still
 * further in goes on with the one above. `´` is a backtick, which would end the text.
 */
export function recognisers(text: string): readonly Recogniser[] {
  const rows: Draft[] = [];
  for (const line of text
    .replaceAll(/\n {6}/g, '')
    .replaceAll('´', '`')
    .split('\n')) {
    const found = PATTERN.exec(line)?.groups;
    if (found === undefined) {
      if (line.trim() !== '') rows.push(rowOf(line.trim()));
      continue;
    }
    const pattern = new RegExp(found['source'] as string, found['flags'] === 'i' ? 'i' : '');
    const row = rows.at(-1) as Draft;
    const condition = found['condition'] as Condition | undefined;
    if (condition === undefined) row.says = [...row.says, pattern];
    else row[condition] = row[condition] === undefined ? pattern : oneOf(row[condition], pattern);
  }
  return rows;
}

function rowOf(head: string): Draft {
  const [id, failureClass, alone, ...marks] = head.split(' ');
  const rest = marks.map((mark) => {
    const [key = '', value = ''] = mark.split('=');
    return [key, LISTS.has(key) ? value.split(',') : readMark(value)] as const;
  });
  return {
    ...Object.fromEntries(rest),
    id,
    failureClass,
    alone: Number(alone),
    says: [],
  } as unknown as Draft;
}

function readMark(value: string): string | number | boolean {
  return /^-?\d+$/.test(value) ? Number(value) : value === 'true' || (value === 'false' ? false : value);
}
