/**
 * `causeMessage`: what the cause says, in one sentence without prefixes. A line that only announces ("found 2 problems:", a test's mark) is
 * completed by what stands below it.
 */
import { inLines } from '../text/in-lines.ts';
import { complains } from '../text/complains.ts';
import { wholeWords } from '../text/few-names.ts';
import type { LineFinding } from './finding.ts';
import { DIAGNOSTIC, FRAME, SOURCE, TEST_MARK, WRAPPER } from './lines/line-patterns.ts';
import type { Line } from './lines/read-lines.ts';

/** A person reads one sentence. */
const MESSAGE_CHARS = 240;
/** What completes a message begins within so many lines below it. */
const BELOW = 4;
/** More lines of a block, or items of a list, are for who opens the output. */
const TOLD = 3;
/** A failed test's error stands below its mark and the names of its groups. */
const BELOW_MARK = 12;
/** Nothing in it names what is wrong. */
const ANNOUNCES = inLines('i')`
  :$|^$|^(?:(?:fatal )?error|warning|failure)?:? ?(?:\[[\w=, -]{1,200}\])?$|^\W{0,3}(?:found|detected|there (?:is|are|
  were)) [1-9]\d{0,6} [\w -]{1,60}[!.]?$`;
/** `Undeclared identifier.`: which one shows the source below. */
const LACKS_NAME =
  /\b(?:identifier|symbol|variable|import|token|name|type|value|method|function|member)\.?$/i;
/** An exception without a word. */
const NAME_ALONE = /^[\w.]{1,80}(?:Error|Exception)$/;
const ITEM = /^(?:[-*•‣] |\d{1,4}[.)] )(?<item>\S.{0,200})$/;
/** `symbol: method x()` below "cannot find symbol". */
const FIELD =
  /^(?:\[[\w-]{1,20}\] )?(?<key>symbol|required|found|reason|expected|actual) ?: (?<value>\S.{0,200})$/;
const POINTS = /^(?:\[[\w-]{1,20}\])?[\s|│╵·\d]{0,400}\^[\^~]{0,200}\s*$/;
const STATES = /^(?:(?:Error|Message|Reason|Failure): (?<said>\S.{2,400}))$/;
/** What the test adds to its assertion. */
const ADDS = /^Messages: (?<said>\S.{2,400})$/;

export function causeMessage(cause: LineFinding, lines: readonly Line[]): string {
  const own = plain(cause);
  const at = Math.max(cause.index, lines.indexOf(cause.line, cause.index));
  const told =
    cause.shape.kind === 'test-mark' ? belowMark(cause, lines, at, own) : completed(own, lines, at);
  return shortened(told);
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
  if (ANNOUNCES.test(own)) {
    const detail = listBelow(lines, at) || blockBelow(lines, at);
    return detail === '' ? own : `${own.replace(/[:!. ]+$/, '')}${own === '' ? '' : ': '}${detail}`;
  }
  const added = ADDS.exec(lines[at + 1]?.text ?? '')?.groups?.['said'];
  if (added !== undefined) return `${own}: ${added}`;
  const fields = fieldsBelow(lines, at, own);
  if (fields !== '') return own + fields;
  const failed = NAME_ALONE.test(own) ? sourceAbove(lines, at) : '';
  if (failed !== '') return `${own}: ${failed}`;
  const marked = LACKS_NAME.test(own) ? wordAtMark(lines, at) : '';
  return marked === '' ? own : `${own.replace(/[.\s]+$/, '')}: ${marked}`;
}

function listBelow(lines: readonly Line[], at: number): string {
  const from = lines.findIndex(({ text }, look) => look > at && text !== '');
  if (from === -1 || from > at + BELOW) return '';
  const rest = lines.slice(from);
  const end = rest.findIndex(({ text }) => !ITEM.test(text));
  const items = (end === -1 ? rest : rest.slice(0, end)).map(
    ({ text }) => ITEM.exec(text)?.groups?.['item'] ?? '',
  );
  const more = items.length > TOLD ? ` and ${items.length - TOLD} more` : '';
  return `${items.slice(0, TOLD).join(', ')}${more}`;
}

/** The line that a traceback quotes last. */
function sourceAbove(lines: readonly Line[], at: number): string {
  const source = lines.slice(0, at).findLastIndex(({ text }) => !POINTS.test(text));
  return /^File "[^"]{1,300}", line \d/.test(lines[source - 1]?.text ?? '')
    ? (lines[source]?.text ?? '')
    : '';
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

/** Up to the next message. */
function fieldsBelow(lines: readonly Line[], at: number, own: string): string {
  const below = lines.slice(at + 1, at + 1 + BELOW);
  const end = below.findIndex(({ text }) => DIAGNOSTIC.test(text));
  return (end === -1 ? below : below.slice(0, end))
    .map(({ text }) => FIELD.exec(text)?.groups)
    .filter((field) => field !== undefined)
    .map(({ key = '', value = '' }) => (own.endsWith(key) ? `: ${value}` : `; ${key}: ${value}`))
    .join('');
}

/** The word in the source that a line of `^` points at. */
function wordAtMark(lines: readonly Line[], at: number): string {
  const mark = lines.findIndex(
    ({ shown }, look) => look > at + 1 && look <= at + BELOW && POINTS.test(shown),
  );
  if (mark === -1) return '';
  const source = lines[mark - 1]?.shown ?? '';
  const column = (lines[mark] as Line).shown.indexOf('^');
  return /^[\w$.-]{1,80}/.exec(source.slice(column))?.[0] ?? '';
}

function belowMark(cause: LineFinding, lines: readonly Line[], at: number, own: string): string {
  if (cause.shape.message !== '' || /\bexpected\b.{0,400}\b(?:got|but)\b/i.test(own)) return own;
  const below = lines.slice(at + 1, at + 1 + BELOW_MARK);
  for (const [look, { text }] of below.entries()) {
    const said = STATES.exec(text)?.groups?.['said'];
    const next = below.slice(look + 1).find((line) => line.text !== '');
    const added = ADDS.exec(next?.text ?? '')?.groups?.['said'];
    if (said !== undefined) return added === undefined ? said : `${said}: ${added}`;
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
