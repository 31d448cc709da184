/**
 * `pageIn`, `partIn`, `listedIn`: the page of a browser, the part of a text and the numbered lines that an answer shows, by the marks that
 * tools print.
 */
import { groupIn } from '../../text/group-in.ts';
import { oneOf } from '../../text/one-of.ts';
import { LISTED_LINE } from '../error-line.ts';

export interface PageShown {
  readonly title: string;
  readonly address: string;
  /** Where on the page the view stands; empty if the answer does not say. */
  readonly part: string;
}

/** A link stands for the page of a screenshot; text browsers name address and title on lines of their own. */
const LINKED = /\bscreenshot of \[([^\]\n]{0,300})\]\((\S{1,2000}?)\)(?:\.|\s|$)/;
const ADDRESS = /^\W{0,4}(?:address|(?:page |current )?url)\s*: *(\w+:\S{1,2000})/im;
const TITLE = /^\W{0,4}(?:page )?title\s*: *(.{1,300})$/im;
const PART = oneOf(
  /\bpositioned ([^.\n]{1,60})/i,
  /\bpage (\d+) of \d+/i,
  /\((\d+) more lines? above\)/i,
  /\blines? (\d+ ?(?:-|to) ?\d+)\b/i,
);
const SCANNED_CHARS = 4_000;

export function pageIn(output: string): PageShown | null {
  const head = output.slice(0, SCANNED_CHARS);
  const [, title = TITLE.exec(head)?.[1] ?? '', address = ADDRESS.exec(head)?.[1]] = LINKED.exec(head) ?? [];
  if (address === undefined) return null;
  return { title: title.trim(), address: address.replace(/#.*$/, ''), part: partIn(head) };
}

/** Empty if the answer has no mark of a part: then nothing says that it shows another one. */
export function partIn(output: string): string {
  const head = output.slice(0, SCANNED_CHARS);
  const listed = head.split('\n').find((line) => LISTED_LINE.test(line));
  return groupIn(PART, head) ?? listed?.match(/\d+/)?.[0] ?? '';
}

const LISTED = /^[^\w\n]{0,12}(?:Line )?(\d{1,6})(?:: ?|\t|\||→)(.*)$/gm;

/** The lines of a file, with their numbers. */
export function listedIn(output: string): readonly (readonly [row: number, text: string])[] {
  return [...output.matchAll(LISTED)].map(([, row, text = '']) => [Number(row), text.trim()] as const);
}
