/** `STRIPPED_LINE_SHAPES`: what a line is once time stamps, tags and levels are taken off it. */
import { inLines } from '../../text/in-lines.ts';
import { complains } from '../../text/complains.ts';
import {
  DIAGNOSTIC,
  EXCEPTION,
  JSON_ERROR,
  NAMED_EXCEPTION,
  PLACED,
  RUBY,
  RULE,
  STATEMENT,
  STRERROR,
  TEST_MARK,
  TOOL_NUMBER,
} from './line-patterns.ts';
import type { ReadShape, Read } from './shape.ts';
import type { LogLevel, Stripped } from './strip-prefixes.ts';

type Seen = Stripped & { readonly text: string };

export const STRIPPED_LINE_SHAPES: readonly ReadShape<Seen>[] = [
  rubyException,
  thrownException,
  diedAt,
  bareDiagnostic,
  diagnostic,
  ({ level }) => (level === 'warning' || level === 'info' ? log(level) : null),
  markedTest,
  (seen) => (isLog(seen) && seen.level !== 'none' ? log(seen.level) : null),
  ({ text }) => (text.startsWith('curl: (22)') ? stated(0.45) : null),
  ({ text }) =>
    /^! \[(?:remote )?rejected\]/.test(text) ? { ...stated(0.87), body: text, message: text } : null,
  (seen) => {
    const { body, level } = seen;
    const states = STATEMENT.test(body) || STRERROR.test(body) || level === 'error' || level === 'fatal';
    return states ? { ...stated(isLog(seen) ? 0.66 : 0.85), placed: isPlaced(seen) } : null;
  },
  ({ body }) => (TOOL_STATEMENTS.some((pattern) => pattern.test(body)) ? stated(0.85) : null),
  (seen) =>
    TOOL_NUMBER.test(seen.body) ? { ...stated(isLog(seen) ? 0.6 : 0.72), placed: isPlaced(seen) } : null,
  ({ body }) => (JSON_ERROR.test(body) ? { kind: 'json', authority: 0.6 } : null),
  complaintAt,
  sentenceAt,
  // `prog: message` is how programs complain, and how they greet: it counts only when nothing better does.
  (seen) =>
    !isLog(seen) && PROGRAM_SAYS.test(seen.body) && !/^https?:/.test(seen.body)
      ? { kind: 'text', authority: complains(seen.body) ? 0.54 : 0.3 }
      : null,
];

const SENTENCE_AT =
  /^(?<file>[\w./-]{0,200}[\w-]\.[A-Za-z]{1,8}):(?<row>\d{1,7})(?::\d{1,6})?(?::{1,2} ?| )(?<msg>[A-Za-z]\S{0,60} \S{1,60} \S.{0,1500})$/;
const BASE: Readonly<Record<LogLevel, number>> = {
  fatal: 0.75,
  error: 0.6,
  warning: 0.15,
  info: 0.05,
  none: 0,
};
/** Of a warning. */
const MILD = 0.22;
/** What is wrong in such a line of a file is data, not source. */
const OF_DATA = /\b(?:values?|fields?|records?|rows?|numeric|numbers?|entry|entries)\b/i;
/** The line of a command, not of a file. */
const SHELL = /^-?(?:ba|da|z|k)?sh: line /;
const DIED = /^(?<msg>.{1,1500}) at (?<file>[\w./-]{1,200}) line (?<row>\d+)(?:, near .{1,200})?\.?$/;
const BARE = inLines('')`
  ^(?:[✖✗×✘✕] ?(?<marked>(?=\d)))?(?<row>\d+):\d+(?:-\d+:\d+)? {1,6}(?:- )?(?:(?<sev>error|warning|info)\b:? |(?<mark>[✖✗×✘]):? |(?=\S))`;
const PLAIN_MARK = /^(?:Timed out|Timeout\b|No tests|Couldn't find|Uncaught|Unhandled|Rejected|Error: )/;
const TOOL_STATEMENTS = [
  /^(?:[A-Z][\w-]{1,30} ){1,3}[Ee]rror(?: \(.{1,80}?\))?: \S/,
  /^(?:Error in .{0,300} ?: |Unhandled [A-Z][\w-]{2,80}|[\w.-]{1,40}: E\d{3,7}: |ERROR! )/,
  /^[\w./-]{1,60}: \[(?:emerg|error|crit|alert|fatal)\] /,
  /: undefined reference to [`'"‘]/,
  /^(?:>{0,2} ?Issue: \[|[\w.-]{1,40} aborted!$|Warning, treated as error:$)/,
];
const PROGRAM_SAYS = /^(?:[\w./+@-]{1,60}|[a-z][\w-]{1,30} [a-z][\w-]{1,30}): (?!\d)\S/;
const MILD_SEVERITY = /^(?:warning|note|info|style|convention|refactor|remark|hint|[WCRD])/i;
const STRONG_MESSAGE = /^(?:syntax|parser?|type|name|lex\w{0,8}|semantic) error\b/i;

function isLog({ stamped, tagged }: Seen): boolean {
  return stamped || tagged;
}

function log(level: LogLevel): Read {
  return { kind: 'log', authority: BASE[level], level };
}

function stated(authority: number): Read {
  return { kind: 'statement', authority, level: 'error' };
}

function rubyException({ body }: Seen): Read | null {
  const groups = RUBY.exec(body)?.groups;
  if (groups === undefined) return null;
  const { file = '', row = '0', msg = '', name = '' } = groups;
  const message = `${msg} (${name})`;
  return { kind: 'exception', authority: 0.92, level: 'error', name, file, row: Number(row), message };
}

function thrownException(seen: Seen): Read | null {
  const thrown = EXCEPTION.exec(seen.body) ?? NAMED_EXCEPTION.exec(seen.body);
  if (thrown === null || (thrown.groups?.['name'] ?? '').endsWith('Warning')) return null;
  const name = thrown.groups?.['name'] ?? thrown.groups?.['panic'] ?? '';
  // `isHandledError` alone on a line is the name of a function or of a test.
  if (name === seen.body && /^[a-z]\w{1,80}$/.test(name)) return null;
  // A bare "Error:" behind a tag or a clock is a log line that speaks of an error; a named class is one that was thrown.
  const isSpokenOf = isLog(seen) && /^(?:\w{0,3}Error)$/.test(name);
  const authority = isSpokenOf ? 0.6 : seen.pytest || !isLog(seen) ? 0.9 : 0.72;
  return { kind: 'exception', authority, level: 'error', name };
}

function diedAt({ body }: Seen): Read | null {
  const groups = DIED.exec(body)?.groups;
  if (groups === undefined) return null;
  const { msg = '', file = '', row = '0' } = groups;
  return { kind: 'exception', authority: 0.85, level: 'error', message: msg, file, row: Number(row) };
}

function bareDiagnostic({ text }: Seen): Read | null {
  const bare = BARE.exec(text);
  if (bare?.groups === undefined) return null;
  const { mark, marked, sev, row } = bare.groups;
  const crossed = mark !== undefined || marked !== undefined;
  if (!crossed && sev === undefined) return null;
  const message = text.slice(bare[0].length);
  return graded(sev !== 'error' && !crossed ? MILD : 0.86, { row: Number(row), message });
}

function diagnostic({ body, level }: Seen): Read | null {
  const found = DIAGNOSTIC.exec(body);
  if (found?.groups === undefined || !/[./]|file$|^-$/.test(found.groups['file'] ?? '')) return null;
  const { file = '', row = '0', sev = '', col } = found.groups;
  if (sev === '' && col === undefined && !/^[:(]?\d+\)?: /.test(body.slice(file.length))) return null;
  const message = body.slice(found[0].length - sev.length);
  const mild = MILD_SEVERITY.test(sev) || level === 'warning' || /^\w{0,40}Warning: /.test(message);
  const strong =
    /error|^E|^F/i.test(sev) ||
    STRONG_MESSAGE.test(message) ||
    message.startsWith('*** ') ||
    level === 'error';
  return graded(mild ? MILD : strong ? 0.86 : 0.45, { file, row: Number(row), message });
}

function graded(authority: number, more: Partial<Read>): Read {
  return { kind: 'diagnostic', authority, level: authority === MILD ? 'warning' : 'error', ...more };
}

function markedTest({ text, body, mark }: Seen): Read | null {
  if (!mark && !TEST_MARK.test(text)) return null;
  const dash = body.indexOf(' - ');
  const behind = dash > 0 && /^(?:FAILED|ERROR) /.test(text) ? body.slice(dash + 3) : '';
  const message = PLAIN_MARK.test(body) ? body : behind;
  return { kind: 'test-mark', authority: 0.7, level: 'error', message };
}

/** `README.md:2197:Line longer than …`, `src/a.js:1 Strings must …`: how an unknown checker may speak, and how grep shows a match. */
function sentenceAt({ body }: Seen): Read | null {
  const found = SENTENCE_AT.exec(body)?.groups;
  if (found === undefined) return null;
  const { file = '', row = '0', msg = '' } = found;
  return { kind: 'diagnostic', authority: 0.3, level: 'error', file, row: Number(row), message: msg };
}

function placeBehind(seen: Seen): RegExpExecArray | null {
  return isLog(seen) || SHELL.test(seen.body) ? null : PLACED.exec(seen.body);
}

function isPlaced(seen: Seen): boolean {
  return (placeBehind(seen) !== null && !OF_DATA.test(seen.body)) || RULE.test(seen.body);
}

function complaintAt(seen: Seen): Read | null {
  const { body } = seen;
  const behind = placeBehind(seen);
  if (behind === null || body.endsWith(':')) return null;
  // A severity and a place alone announce the message below.
  if (!/[A-Za-z]/.test(body.replace(behind[0], '').replace(/\b(?:error|warning|info|note)\b/i, '')))
    return null;
  const { file, row } = behind.groups ?? {};
  if (!/\bcol/i.test(behind[0]) && file === undefined && !complains(body)) return null;
  return { ...stated(0.55), file: file ?? '', row: Number(row), placed: isPlaced(seen) };
}
