/**
 * `causeMessage`: what the cause says, in one sentence without prefixes. A line that only announces ("found 2 problems:", a test's mark) is
 * completed by what stands below it.
 */
import { inLines } from '../text/in-lines.ts';
import { complains } from '../text/complains.ts';
import { wholeWords } from '../text/few-names.ts';
import type { LineFinding } from './finding.ts';
import { FRAME, SOURCE, TEST_MARK, WRAPPER } from './lines/line-patterns.ts';
import type { Line } from './lines/read-lines.ts';

/** A person reads one sentence. */
const MESSAGE_CHARS = 240;
/** What completes a message begins within so many lines below it. */
const BELOW = 4;
/** More lines of a block are for who opens the output. */
const TOLD = 3;
/** A failed test's error stands below its mark and the names of its groups. */
const BELOW_MARK = 12;
/** Nothing in it names what is wrong. */
const ANNOUNCES = inLines('i')`
  :$|^$|^(?:(?:fatal )?error|warning|failure)?:? ?(?:\[[\w=, -]{1,200}\])?$|^\W{0,3}(?:found|detected|there (?:is|are|
  were)) [1-9]\d{0,6} [\w -]{1,60}[!.]?$`;
const STATES = /^(?:(?:Error|Message|Reason|Failure): (?<said>\S.{2,400}))$/;
export function causeMessage(cause: LineFinding, lines: readonly Line[]): string {
  const own = plain(cause);
  const at = Math.max(cause.index, lines.indexOf(cause.line, cause.index));
  const isMark = cause.shape.kind === 'test-mark';
  return shortened(isMark ? belowMark(cause, lines, at, own) : completed(own, lines, at));
}

function plain(cause: LineFinding): string {
  const body =
    saidInJson(cause.line.text) ||
    (cause.shape.kind === 'diagnostic' ? cause.shape.message : cause.line.text);
  return unmarked(body)
    .replace(/^E /, '')
    .replace(/^(?:npm (?:error|ERR!)|remote:|stderr:|\[[^\]]{1,40}\]) /, '')
    .replace(/^(?:fatal error|fatal|error|Error|ERROR|FATAL|E|warning|Warning)(?: TS\d+|\[\w+\])?: {0,2}/, '')
    .replace(/^diff --git a\/(?<path>\S{1,300}) b\/.*$/, 'the diff of $<path>')
    .replace(/ -> \[Help \d\]$/, '');
}

/** Without the marks that a program draws, the dots between a name and its result, and addresses in memory. */
export function unmarked(text: string): string {
  return text
    .replace(/^\*\* \((?<name>[\w.]{1,80})\) /, '$<name>: ')
    .replace(/^(?:(?:>>|[✖✗✘✕×⨯❌●⚠]\uFE0F?|\*{2,3}|[CWEFR]: \[\w{1,20}\]|\[[-xX]\](?: -)?) +)+(?=\S)/, '')
    .replace(/^(?<who>[\w.-]{1,40}: )\*{3} /, '$<who>')
    .replace(/^(?<name>\S{1,200}) \.{4,} (?=\S)/, '$<name>: ')
    .replace(/(?<=<[\w:.]{1,80}):? ?0x[0-9a-f]{6,16}\b;?/g, '');
}

/** What a JSON body says in words. */
function saidInJson(text: string): string {
  if (!text.startsWith('{')) return '';
  const said =
    /"(?:message|error_description|detail|error)": ?"(?<said>(?:[^"\\]|\\.){3,300})"/.exec(text)?.groups?.[
      'said'
    ] ?? '';
  const status = /"(?:status|code|status_code)": ?"?(?<status>[45]\d\d)\b/.exec(text)?.groups?.['status'];
  return said === '' || status === undefined ? said : `${said} (${status})`;
}

function completed(own: string, lines: readonly Line[], at: number): string {
  const detail = ANNOUNCES.test(own) ? blockBelow(lines, at) : '';
  return detail === '' ? own : `${own.replace(/[:!. ]+$/, '')}${own === '' ? '' : ': '}${detail}`;
}

/** Further in than the line that announces it. Other jobs may speak in between. */
function blockBelow(lines: readonly Line[], at: number): string {
  const indent = lines[at]?.indent ?? 0;
  const isDetail = ({ text, indent: own }: Line): boolean =>
    own > indent && /[A-Za-z]{2}/.test(text) && !FRAME.test(text) && !SOURCE.test(text);
  const first = lines.slice(at + 1, at + 1 + BELOW).findIndex(isDetail);
  if (first === -1) return '';
  const block = lines.slice(at + 1 + first, at + 1 + first + TOLD);
  const end = block.findIndex((line) => !isDetail(line));
  return (end === -1 ? block : block.slice(0, end)).map(({ text }) => text).join(' ');
}

function belowMark(cause: LineFinding, lines: readonly Line[], at: number, own: string): string {
  if (cause.shape.message !== '' || /\bexpected\b.{0,400}\b(?:got|but)\b/i.test(own)) return own;
  const below = lines.slice(at + 1, at + 1 + BELOW_MARK);
  for (const { text } of below) {
    const said = STATES.exec(text)?.groups?.['said'];
    if (said !== undefined) return said;
    if (text.endsWith(':') || [FRAME, SOURCE, WRAPPER, TEST_MARK].some((other) => other.test(text))) continue;
    if (/\bexpected\b/i.test(text) || complains(text)) return text;
  }
  return own;
}

/** Of `A failed: B failed: C` the last part tells most. */
function shortened(told: string): string {
  let rest = told;
  for (
    let colon = rest.indexOf(': ');
    rest.length > MESSAGE_CHARS && colon !== -1;
    colon = rest.indexOf(': ')
  )
    rest = rest.slice(colon + 2);
  return wholeWords(rest, MESSAGE_CHARS);
}
