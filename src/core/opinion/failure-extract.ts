/**
 * `failureExtract`: the lines of a failed output that an expert would read, by structure: what says that a command ended badly and what
 * stands before it, the first errors, the runner's summary, the end. Each with its number; gaps are shown.
 */
import { oneOf } from '../text/one-of.ts';
import { FAILED_COUNT } from '../text/failed-count.ts';
import { printable } from '../diagnose/lines/clean-line.ts';
import type { Line } from '../diagnose/lines/read-lines.ts';
import { type ReadFailure, isFailureLine } from './read-failure.ts';

/** A line of a stack or a minified file is known by its beginning and its end. */
const LINE_CHARS = 400;
const LINE_TAIL = 130;
/** Marks of a CI service for its own pages. */
const MARK = /^travis_(?:fold|time):/;
const EXITED = oneOf(
  /\b(?:exit(?:ed|s)?(?: with)?(?: status| code)?|returned|failed with|code|status)[: =(]{1,3}(?:code |status )?[1-9]\d{0,2}\b/i,
  /did not complete successfully|Finished: (?:FAILURE|UNSTABLE|ABORTED)|\bBUILD FAIL/i,
);
const BEFORE_EXIT = 8;
/** The number, and its part of the gaps. */
const LINE_OVERHEAD = 12;
const SUMMARY_LINES = 5;
const MARKED_LINES = 6;

/** Less is wanted later. */
interface Wish {
  readonly at: number;
  readonly rank: number;
}

export function failureExtract(read: ReadFailure, chars: number): string {
  const { lines } = read;
  // Of interleaved jobs each line keeps the name of its own.
  const shown = lines.map(({ shown, raw, job, text }) =>
    MARK.test(text) ? '' : cut(printable(job === '' || job.includes('\t') ? shown : raw)).trimEnd(),
  );
  const size = (at: number): number => (shown[at]?.length ?? 0) + LINE_OVERHEAD;
  const kept = new Set<number>();
  let room = chars;
  for (const { at } of wishes(read).toSorted((a, b) => a.rank - b.rank)) {
    if (kept.has(at) || shown[at] === undefined || shown[at] === '') continue;
    if (room < size(at)) continue;
    kept.add(at);
    room -= size(at);
  }
  const rows: string[] = [];
  let last = 0;
  for (const at of [...kept].toSorted((a, b) => a - b)) {
    const { number } = lines[at] as Line;
    if (number - last > 1 + blanksBetween(last, number)) rows.push(gap(number - last - 1));
    rows.push(`${String(number).padStart(5)}| ${shown[at]}`);
    last = number;
  }
  const end = lines.at(-1)?.number ?? 0;
  if (end > last + blanksBetween(last, end + 1)) rows.push(gap(end - last));
  return rows.join('\n');

  function blanksBetween(from: number, to: number): number {
    return lines.filter(({ number, text }) => number > from && number < to && text === '').length;
  }
}

function gap(count: number): string {
  return `     … ${count} ${count === 1 ? 'line' : 'lines'} not shown`;
}

function wishes(read: ReadFailure): readonly Wish[] {
  const { lines, inStep } = read;
  const list: Wish[] = [];
  const step = [...lines.keys()].filter((at) => inStep[at]);
  const add = (at: number, rank: number): void => {
    if (at >= 0 && at < lines.length) list.push({ at, rank });
  };
  const around = (at: number, before: number, after: number, rank: number): void => {
    add(at, rank);
    for (let near = 1; near <= Math.max(before, after); near += 1) {
      if (near <= after) add(at + near, rank + near / 10);
      if (near <= before) add(at - near, rank + near / 10);
    }
  };
  const telling = step.filter((at) => isFailureLine(read, at));
  const sure = read.findings.slice(0, 6).map(({ index }) => index);
  const exits = [...lines.keys()].filter((at) => EXITED.test(lines[at]?.text ?? ''));
  const counts = step.filter(
    (at) => (lines[at]?.text.length ?? 0) < 300 && FAILED_COUNT.test(lines[at]?.text ?? ''),
  );
  const blamed = lines.findIndex(({ number }) => number === read.rules.evidence[0]?.line);
  if (blamed >= 0) around(blamed, 3, 4, 0);
  for (const [nth, at] of telling.slice(0, MARKED_LINES).entries()) around(at, 2, 4, 1 + nth / 4);
  for (const [nth, at] of sure.entries()) around(at, 2, 3, 1.5 + nth / 4);
  for (const at of exits.filter((each) => inStep[each] === true).slice(0, 2)) around(at, BEFORE_EXIT, 1, 1.2);
  for (const at of exits.slice(-3)) around(at, BEFORE_EXIT, 1, 1.6);
  for (const at of counts.slice(-SUMMARY_LINES)) around(at, 1, 2, 1.4);
  for (const at of step.slice(-6)) add(at, 0.5);
  for (const at of [...lines.keys()].slice(-5)) add(at, 0.6);
  for (const at of step.slice(0, 2)) add(at, 2);
  for (const [nth, at] of telling.slice(-4).entries()) around(at, 3, 3, 2 + nth / 4);
  for (const at of telling.slice(MARKED_LINES, MARKED_LINES * 3)) around(at, 1, 1, 3);
  for (const [nth, at] of step.toReversed().slice(0, 60).entries()) add(at, 3.2 + nth / 40);
  for (const [nth, at] of step.slice(0, 40).entries()) add(at, 5 + nth / 40);
  // Where little was said, all of it is shown.
  if (lines.length <= 120) for (const at of lines.keys()) add(at, 9);
  return list;
}

function cut(text: string): string {
  if (text.length <= LINE_CHARS) return text;
  return `${text.slice(0, LINE_CHARS - LINE_TAIL)} […] ${text.slice(-LINE_TAIL)}`;
}
