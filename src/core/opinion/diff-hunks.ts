/**
 * `readHunks`: the pieces of a diff, each short and of whole lines, so that one can be shown and quoted. `chooseHunks`: those that a prompt
 * has room for: what judges first, a bit of every file, then what takes something away.
 */
import { oneLine } from '../text/quote-fenced.ts';
import { visibleText } from '../text/visible-text.ts';

export interface DiffHunk {
  readonly path: string;
  /** As git heads it, or what the diff says of the file as a whole. */
  readonly head: string;
  /** With their signs, without what a person cannot see. */
  readonly lines: readonly string[];
}

/** A longer piece is split: a prompt shows parts of many places rather than all of one. */
const PIECE_CHARS = 600;
const LEAST_PIECE_CHARS = 160;
/** A longer line is data. It can be quoted whole, and is shown cut. */
const LINE_CHARS = 300;
/** More is not read: what a prompt can show is chosen from the first ones. */
const MAX_LINES = 20_000;
const HEAD_CHARS = 120;
const WHOLE = 'the file as a whole';
/** What the head of a file says that no line shows: a test that cannot be started any more is no test. */
const OF_FILE =
  /^(?:old mode|new mode|rename from|rename to|copy from|copy to|Binary files|GIT binary patch|(?:new|deleted) file mode)/;

/** Reads a diff as git prints it. */
export function readHunks(diff: string): DiffHunk[] {
  const hunks: { path: string; head: string; lines: string[] }[] = [];
  let path = '';
  let inHunk = false;
  for (const line of diff.split('\n').slice(0, MAX_LINES)) {
    if (line.startsWith('diff --git ')) {
      path = pathIn(/ b\/(.*)$|"b\/(.*)"$/.exec(line)?.slice(1).join('') ?? '');
      inHunk = false;
      hunks.push({ path, head: WHOLE, lines: [] });
    } else if (!inHunk && (line.startsWith('--- ') || line.startsWith('+++ '))) {
      const named = line
        .slice(4)
        .replace(/\t$/, '')
        .replace(/^"(.*)"$/, '$1');
      if (named !== '/dev/null') path = pathIn(named.replace(/^[ab]\//, ''));
    } else if (line.startsWith('@@ ')) {
      inHunk = true;
      hunks.push({ path, head: visibleText(line), lines: [] });
    } else if (inHunk && /^[-+ ]/.test(line)) hunks.at(-1)?.lines.push(visibleText(line));
    else if (!inHunk && OF_FILE.test(line))
      hunks
        .at(-1)
        ?.lines.push(`${/^(?:old|deleted|rename from)/.test(line) ? '-' : '+'}${visibleText(line)}`);
  }
  const withLines = new Set(hunks.filter(({ head }) => head !== WHOLE).map((hunk) => hunk.path));
  const isSaidByLines = ({ path: of, head, lines }: DiffHunk) =>
    head === WHOLE && withLines.has(of) && lines.every((line) => line.includes('file mode'));
  return hunks
    .filter((hunk) => hunk.lines.some(isChange) && !isSaidByLines(hunk))
    .flatMap(pieces)
    .filter(({ lines }) => lines.some(isChange));
}

/** A split falls between changes, so that what was and what is stand together; a longer change is split within. */
function pieces({ path, head, lines }: DiffHunk): DiffHunk[] {
  const parts: string[][] = [];
  let room = 0;
  for (const group of groups(lines)) {
    if (charsOf(group) > room) {
      parts.push([]);
      room = PIECE_CHARS;
    }
    for (const line of group) {
      if (room <= 0) {
        parts.push([]);
        room = PIECE_CHARS;
      }
      parts.at(-1)?.push(line);
      room -= charsOf([line]);
    }
  }
  return parts.map((part, at) => ({
    path,
    head: at === 0 ? head.slice(0, HEAD_CHARS) : `part ${at + 1} of ${head.split(' @@')[0]} @@`,
    lines: part,
  }));
}

/** A change with the context before it. */
function groups(lines: readonly string[]): string[][] {
  const found: string[][] = [];
  lines.forEach((line, at) => {
    const before = lines[at - 1];
    if (before === undefined || (!isChange(line) && isChange(before))) found.push([]);
    found.at(-1)?.push(line);
  });
  return found;
}

function charsOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Math.min(line.length, LINE_CHARS) + 1, 0);
}

export interface ShownHunk extends DiffHunk {
  readonly number: number;
}

export interface ChosenHunks {
  readonly shown: readonly ShownHunk[];
  readonly text: string;
  readonly leftOut: number;
}

/** `rank`: 0 for what judges or is read by what judges; a higher number can wait. */
export function chooseHunks(
  hunks: readonly DiffHunk[],
  rank: (path: string) => number,
  room: number,
): ChosenHunks {
  const files = new Map<string, number>();
  const queue = hunks.map((hunk, at) => {
    const nth = files.get(hunk.path) ?? 0;
    files.set(hunk.path, nth + 1);
    return { hunk, at, nth };
  });
  const takesAway = ({ lines }: DiffHunk) => (lines.some((line) => line.startsWith('-')) ? 0 : 1);
  const order = (one: (typeof queue)[number]): readonly number[] => [
    Math.min(one.nth, 1),
    rank(one.hunk.path),
    takesAway(one.hunk),
    one.nth,
    one.at,
  ];
  const bit = Math.max(LEAST_PIECE_CHARS, Math.min(PIECE_CHARS, Math.floor(room / Math.max(1, files.size))));
  let left = room;
  const taken = new Map<number, DiffHunk>();
  const cut = new Set<number>();
  for (const { hunk, at } of queue.toSorted((a, b) => compare(order(a), order(b)))) {
    const shorter = rank(hunk.path) === 0 ? hunk : beginning(hunk, bit);
    const size = textOf(999, shorter).length + 1;
    if (size > left) continue;
    taken.set(at, shorter);
    if (shorter.lines.length < hunk.lines.length) cut.add(at);
    left -= size;
  }
  for (const at of cut) {
    const whole = hunks[at];
    const part = taken.get(at);
    if (whole === undefined || part === undefined) continue;
    const more = textOf(999, whole).length - textOf(999, part).length;
    if (more > left) continue;
    taken.set(at, whole);
    left -= more;
  }
  const shown = [...taken]
    .toSorted(([a], [b]) => a - b)
    .map(([, hunk], index) => ({ ...hunk, number: index + 1 }));
  return {
    shown,
    text: shown.map((hunk) => textOf(hunk.number, hunk)).join('\n'),
    leftOut: hunks.length - shown.length,
  };
}

/** The first lines, from the first change on. */
function beginning(hunk: DiffHunk, chars: number): DiffHunk {
  let size = 0;
  const lines = hunk.lines.slice(hunk.lines.findIndex(isChange)).filter((line, at) => {
    size += charsOf([line]);
    return at === 0 || size <= chars;
  });
  return textOf(1, hunk).length <= chars ? hunk : { ...hunk, lines };
}

function textOf(number: number, { path, head, lines }: DiffHunk): string {
  const shown = lines.map((line) => (line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}…` : line));
  return [`[${number}] ${oneLine(path)} ${head}`, ...shown].join('\n');
}

export function isChange(line: string): boolean {
  return line.startsWith('+') || line.startsWith('-');
}

/** Git puts a path in quotes when it has quotes or control characters. */
function pathIn(path: string): string {
  return path.replaceAll(/\\(["\\])/g, '$1');
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : (a[at] ?? 0) - (b[at] ?? 0);
}
