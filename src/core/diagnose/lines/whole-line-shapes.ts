/** `WHOLE_LINE_SHAPES`: lines that are known as they stand, before time stamps, tags and levels are taken off. */
import { inLines } from '../../text/in-lines.ts';
import {
  AGENT_SENTENCE,
  COMMIT,
  COMPILATION,
  COUNTED,
  EXCEPTION,
  FRAME,
  LOCATED,
  PASS,
  SOURCE,
  SUMMARY,
  WRAPPER,
  ZERO,
} from './line-patterns.ts';
import type { ReadShape, Read, Shape, ShapeKind } from './shape.ts';
import type { Line } from './read-lines.ts';
import { complains } from '../../text/complains.ts';

export const WHOLE_LINE_SHAPES: readonly ReadShape<Line>[] = [
  silent('blank', ({ text }) => text === ''),
  silent('frame', ({ text }) => FRAME.test(text)),
  silent('pass', ({ text }) => PASS.test(text)),
  ({ text }) => diagnosticAt(placeTold(text)),
  silent('source', ({ text }) => SOURCE.test(text) && !/^[|│] (?:Error|error)/.test(text)),
  silent('note', ({ text }) => COMMIT.test(text) || AGENT_SENTENCE.test(text)),
  silent('note', ({ text }) => ZERO.test(text) && !COUNTED.test(text)),
  silent('source', (line) => {
    const said = saidByPytest(line);
    return said !== '' && (FRAME.test(said) || SOURCE.test(said) || /^[+?-] /.test(said));
  }),
  (line) => pytestException(saidByPytest(line)),
  wrapper(0.4, (text) => /^[✖✗×] \d+ problems? \(/.test(text)),
  wrapper(0.3, (text) => COMPILATION.test(text)),
  wrapper(0.3, isWrapper),
  silent('note', ({ text }) => NOTHING_THERE.test(text)),
  silent('note', ({ text }) => HEADING.test(text) && !FAILURE_HEADING.test(text)),
  ({ text }) => namedException(ELIXIR.exec(text), 0.92),
  silent('source', ({ text }) => text.startsWith('Failure/Error: ')),
  ({ text }) => locatedStatement(text),
  // A table of rows or a tuple that was printed is data.
  silent('note', ({ text }) => DATA.test(text)),
];

const HEADING = /^={3,} .{1,60} ={3,}$|^_{3,} .{1,120} _{3,}$|^-{3,}$|^={3,}$|^[\w./-]{1,100}:$/;
/** A tool result that lists what there is not. */
const NOTHING_THERE =
  /^(?:Errors?|Stderr|Signal|Background PIDs|Process Group PGID): (?:\(?none\)?|null|0)$/i;
const FAILURE_HEADING =
  /^(?:Errors?|ERRORS?|FATAL|Exception|FAIL(?:ED|URES?)?|\w{3,80}(?:Error|Exception)):$/;
const ELIXIR = /^\*\* \((?<name>[\w.]{1,80})\) /;
const PROGRAM_AT = inLines('')`
  ^(?!\w{1,60}(?:Error|Exception): )[\w./+-]{1,60}: (?:error: [\w./+-]{1,60}: )?(?<file>[^\s:]{1,200}\.\w{1,6}):(?<row>\d{1,7})
  (?::\d{1,6})?: (?<msg>.{1,1500})$`;
const DATA = /^(?:\[\(|\(\d{1,12}, )|^[A-Za-z_$][\w.$[\]"']{0,120} = .{1,1000};$/;

/** Such a line says nothing of a failure. */
function silent(kind: ShapeKind, isOne: (line: Line) => boolean): ReadShape<Line> {
  return (line) => (isOne(line) ? { kind, authority: 0 } : null);
}

function wrapper(authority: number, isOne: (text: string) => boolean): ReadShape<Line> {
  return ({ text }) => (isOne(text) ? { kind: 'wrapper', authority } : null);
}

function isWrapper(text: string): boolean {
  return WRAPPER.test(text) || (COUNTED.test(text) && SUMMARY.test(text));
}

function diagnosticAt(place: ReturnType<typeof placeTold>): Read | null {
  return place === null ? null : { kind: 'diagnostic', ...place };
}

/** Pytest begins what it tells with a column `E`. */
function saidByPytest({ shown, text }: Line): string {
  return /^E\s{3,}\S/.test(shown) ? text.slice(2) : '';
}

function pytestException(said: string): Read | null {
  if (said === '' || EXCEPTION.test(said)) return null;
  const authority = /^assert\b/.test(said) ? 0.88 : 0.62;
  return { kind: 'exception', authority, level: 'error', body: said, message: said };
}

function namedException(found: RegExpExecArray | null, authority: number): Read | null {
  return found === null
    ? null
    : { kind: 'exception', authority, level: 'error', name: found.groups?.['name'] ?? '' };
}

function locatedStatement(text: string): Read | null {
  const located = PROGRAM_AT.exec(text)?.groups;
  if (located === undefined) return null;
  const { file = '', row, msg = '' } = located;
  const placed = /^(?:fatal )?error: /.test(msg);
  return { kind: 'statement', authority: 0.85, level: 'error', file, row: Number(row), message: msg, placed };
}

type Place = Pick<Shape, 'authority' | 'level' | 'file' | 'row' | 'message'>;

const TABLED = /^(?<row>\d{1,7}) \| (?<sev>ERROR|WARNING) \| (?<msg>.{1,1500})$/;
const WORDED =
  /^line (?<row>\d{1,7})(?:,? col(?:umn)? \d{1,6})?(?: - |: )(?<sev>[Ee]rror|[Ww]arning|[Ii]nfo): (?<msg>.{1,1500})$/;
const MILD = 0.22;
const STATED = 0.86;
/** A row without a column and without a complaint may be progress. */
const MENTIONED = 0.45;

function placeTold(text: string): Place | null {
  const graded = (TABLED.exec(text) ?? WORDED.exec(text))?.groups;
  if (graded !== undefined) {
    const mild = !/error/i.test(graded['sev'] ?? '');
    return {
      authority: mild ? MILD : STATED,
      level: mild ? 'warning' : 'error',
      file: '',
      row: Number(graded['row']),
      message: graded['msg'] ?? '',
    };
  }
  const located = LOCATED.exec(text)?.groups;
  if (located === undefined) return null;
  const message = located['msg'] ?? '';
  const mild = /^warning\b/i.test(message);
  return {
    authority: mild ? MILD : located['col'] !== undefined || complains(text) ? STATED : MENTIONED,
    level: mild ? 'warning' : 'error',
    file: located['file'] ?? '',
    row: Number(located['row']),
    message,
  };
}
