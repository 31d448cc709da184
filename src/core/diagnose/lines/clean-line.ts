/** `cleanLine`: what a terminal would show of one line, cut to the limit. Runs of white space become one space, which patterns rely on. */
import { visibleText } from '../../text/visible-text.ts';
import { MATCH_CHARS } from './limits.ts';
import { unwrapLine } from './unwrap-line.ts';

const ESC = '\u001b';
/** CSI, OSC (ended by BEL or ST, bounded), two-byte escapes, and CSI in one byte. */
const ANSI = new RegExp(
  [
    `${ESC}\\[[0-?]{0,32}[ -/]{0,4}[@-~]`,
    `${ESC}\\][^\\u0007${ESC}]{0,256}(?:\\u0007|${ESC}\\\\)?`,
    `${ESC}[@-Z\\\\^_]`,
    '\\u009b[0-?]{0,32}[ -/]{0,4}[@-~]',
  ].join('|'),
  'g',
);
// oxlint-disable-next-line no-control-regex -- control characters are what is removed here
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

export interface CleanLine {
  /** As a terminal shows it, without what a CI service or a log shipper put before it. */
  readonly shown: string;
  /** The same, trimmed, whitespace collapsed. */
  readonly text: string;
  readonly indent: number;
  /** Which of several interleaved jobs said it; empty where there is one. */
  readonly job: string;
}

export function cleanLine(raw: string): CleanLine {
  let shown = raw.length > MATCH_CHARS * 2 ? raw.slice(0, MATCH_CHARS * 2) : raw;
  if (shown.includes(ESC) || shown.includes('\u009b')) shown = shown.replace(ANSI, '');
  const unwrapped = unwrapLine(shown.replace(CONTROL, '').slice(0, MATCH_CHARS));
  return cleaned(unwrapped.shown, unwrapped.job);
}

export function cleaned(shown: string, job: string): CleanLine {
  const body = shown.trimStart();
  return { shown, text: body.replace(/\s+/g, ' ').trimEnd(), indent: shown.length - body.length, job };
}

/** Safe to print on a terminal: no escapes, no control or bidirectional characters. */
export function printable(raw: string): string {
  return visibleText(raw.replace(ANSI, '').replace(/\t/g, '    '));
}
