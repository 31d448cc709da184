/** `readResult`, `withoutStatus`: whether a tool's result is a failure, empty or useful, and the line that names the failure. */
import { inLines } from '../text/in-lines.ts';
import { complains } from '../text/complains.ts';
import { FAILED_COUNT, neverBegan } from '../text/failed-count.ts';
import type { CallKind } from './call-kind.ts';
import { errorLine } from './error-line.ts';

/** A failure shows at the beginning of the text. Source code that mentions errors further down is not a failure. */
const OPENING_CHARS = 400;
const LINE_CHARS = 240;

/** What harnesses write before a command's output: its status. */
const ENVELOPE = inLines('i')`
  ^\s{0,4}(?:<returncode>(-?\d{1,3})<\/returncode>(?:\s*<output>)?|exit ?code:? (-?\d{1,3})\b(?: \(execution \w+\))?|
  (?:chunk id: \w{1,40}\s+)?(?:wall time: [\d.]{1,20} seconds?\s+)?process exited with code (-?\d{1,3})\b)`;
/** Codex writes the time and a heading between status and text. */
const AFTER_STATUS =
  /^(?:wall time: [^\n]{1,60}\s+|original token count: \d{1,12}\s+|total output lines: \d{1,12}\s+){0,3}output:\s*/i;
/** The same, where it is the last line of the output. */
const LAST_STATUS =
  /(?:^|\n)[[(]?(?:\w{1,10} ){0,4}exit(?:ed)?(?: with)?(?: code| status)?:? (-?\d{1,3})[\]).]{0,2}\s*$/i;
const STATUS_CHARS = 80;
/** Two patterns, because one that begins in several ways is three times as slow. */
const FAILED_WORD = inLines('i')`
  (?:^|[\s:>([])(?:errors?|failed|failure|fatal|cannot|can't|could not|unable to|not found|no such|denied|not permitted|invalid|
  unknown (?:command|option|flag|tool)|traceback|not allowed|rejected|already exists|has introduced new syntax|[1-9]\d{0,4} (?:failed|
  failing|failures|errors?))\b`;
const FAILED_PHRASE =
  /^usage: \S|\b(?:timed out|timeout expired)\b|(?:^|\n)(?:killed|segmentation fault|aborted)\b/i;
/** A message that denies a failure names one, too. */
export const NO_FAILURE =
  /\b(no|not any|without( any)?|zero|0) (\w{3,12} )?(errors?|failures?|failed|failing)\b/gi;
/** Where a tool shows a file or matches, its own complaint is all that stands on the first line, and begins it. */
const TOOL_COMPLAINT = inLines('i')`
  ^\W{0,3}(error|fatal|traceback|usage|failed|cannot|can't|could not|unable to|invalid|unknown|no such)\b|^\W{0,3}(permission|
  access) denied\b|^(the )?(file|directory|path|folder)\b.{0,240}\b(not found|does not exist|not exist|no such)|
  ^[\w./ -]{1,200}: .{0,200}(no such file|not found|permission denied|is a directory|not a directory|cannot open)`;
/** Programs that were ended or crashed say so last; what they printed before may be anything. */
const ENDED_BADLY =
  /^(killed|terminated|segmentation fault|aborted|bus error|illegal instruction|core dumped)\b/i;
/** What a build says in one of its last lines when it fails; it counts although a pipe swallowed the exit code. */
const BUILD_FAILED = inLines('')`
  \bBUILD FAIL(ED|URE)\b|^error(\[\w+\])?:|\berror TS\d|^g?make(\[\d+\])?: \*\*\* |^npm (?:error|ERR!) code |^collect2: error|
  ^FAIL(?:ED|URE): |build stopped`;
/** The exit code is that of the last program of the line, not of the one that works. */
const HIDES_STATUS =
  /\|\s*(?:tail|head|grep|sed|awk|tee|cat)\b|\|\|\s*(?:true|:|echo)(?=\W|$)|;\s*(?:echo|true)\b/;
const SUMMARY = /^(?:#|ℹ) fail [1-9]/;
/** The last line of a program that ended with an error that nothing caught. */
const UNCAUGHT =
  /^([\w.$]{0,80}(Error|Exception)(:|$)|make(\[\d+\])?: \*\*\* |fatal: |[\w./-]{1,80}: command not found$)/;
const LAST_LINES = 12;
/** A runner may show each failure after its summary. */
const SUMMARY_LINES = 40;

/** Failures that are the same whatever the program printed before, the most telling first. */
const FAILURE_KINDS: readonly (readonly [string, RegExp])[] = [
  ['timed out', /\b(timed[ -]?out|timeout ?expired|time ?limit exceeded|deadline exceeded)\b/i],
  ['killed', /(^|\n|: )killed\b|\bSIGKILL\b|\bout of memory\b|\bOOMKilled\b/i],
  [
    'disk full',
    /\b(ENOSPC|EDQUOT|no space left on device|disk (quota exceeded|is full|full)|(not enough|insufficient) (free |disk )+space)\b/i,
  ],
  ['read-only', /\bEROFS\b|\bread-only file ?system\b/i],
  ['crashed', /\bsegmentation fault\b|\bSIGSEGV\b|\bcore dumped\b|\bbus error\b/i],
];
/** What shells and `timeout` end with when a program did not end by itself. */
const KIND_OF_STATUS: ReadonlyMap<number, string> = new Map([
  [124, 'timed out'],
  [137, 'killed'],
  [139, 'crashed'],
]);
/** The tool says that it did what it was asked; what follows only shows the result. */
const DONE = inLines('i')`
  \b(?:has been (updated|created|edited|written)|(created|updated|edited|written|applied|replaced) successfully|successfully (created|
  updated|edited|wrote|written|applied|replaced))\b`;
const BARREN =
  /^(no (matches|results|files|output|match|such)|0 (matches|results)|nothing found|found 0|\(no output\)|file .{1,200} not found)/i;
/** Signs of a short answer that announces another one. */
const NOT_YET =
  /\b(in[ _-]progress|pending|queued|not (yet )?ready|still (running|building|waiting|in)|waiting for|\d{1,3} ?% (done|complete))\b/i;
const SHORT_ANSWER_CHARS = 400;

export function saysNotYet(text: string): boolean {
  return text.length <= SHORT_ANSWER_CHARS && NOT_YET.test(text);
}

/** Fields with nothing to tell, which Gemini CLI writes around the output of a command. */
const NOTHING_TOLD = /\n(?:Error|Signal|Background PIDs|Process Group PGID): \(none\)(?=\n|$)/g;

export interface ResultReading {
  readonly failed: boolean;
  /** The result is empty: no match, no such file, no output. */
  readonly barren: boolean;
  /** The line that names the failure; empty if the call did not fail. */
  readonly errorLine: string;
  /** A failure that is the same whatever was called: timed out, killed, crashed, disk full, read-only; null otherwise. */
  readonly failureKind: string | null;
  /** The result without the status that the harness added. */
  readonly text: string;
}

export interface AskedResult {
  readonly output: string;
  readonly isError: boolean;
  /** The agent's format marks every error, so a result without the mark is none. */
  readonly marksErrors: boolean;
  /** What was called: its words come back in error lines. */
  readonly input: string;
  readonly kind: CallKind;
}

export function readResult({ output, isError, marksErrors, input, kind }: AskedResult): ResultReading {
  const { text, status } = readStatus(output.includes('(none)') ? output.replace(NOTHING_TOLD, '') : output);
  const barren = text.trimStart() === '' || BARREN.test(text.trimStart().slice(0, 260));
  const looksOnly = kind === 'read' || kind === 'search';
  // A search that finds nothing ends with status 1 and no output: the result is empty, the call did not fail.
  if (looksOnly && barren && text.trim() === '')
    return { failed: false, barren, errorLine: '', failureKind: null, text };
  const isMarked = marksErrors || status !== null;
  const failed =
    isError ||
    (status !== null && status !== 0) ||
    (kind === 'test' && (saysCheckFailed(text) || (input.includes('|') && neverBegan(text)))) ||
    (kind === 'run' &&
      HIDES_STATUS.test(input) &&
      lastLines(text, LAST_LINES).some((line) => BUILD_FAILED.test(line))) ||
    (!isMarked && textFails(text, kind));
  if (!failed) return { failed, barren, errorLine: '', failureKind: null, text };
  const line = errorLine(text, input) || (status === null || status === 0 ? '' : `exit code ${status}`);
  const failureKind = failureKindOf(line, text) ?? KIND_OF_STATUS.get(status ?? 0) ?? null;
  return { failed, barren, errorLine: line, failureKind, text };
}

export function withoutStatus(output: string): string {
  return readStatus(output).text;
}

function readStatus(told: string): { readonly text: string; readonly status: number | null } {
  const output = told.startsWith('<tool_use_error>') ? told.replace(/<\/?tool_use_error>/g, '') : told;
  const envelope = ENVELOPE.exec(output.slice(0, 160));
  if (envelope !== null)
    return {
      text: stripEnvelope(output, envelope[0].length),
      status: Number(envelope[1] ?? envelope[2] ?? envelope[3]),
    };
  const last = LAST_STATUS.exec(output.slice(-STATUS_CHARS));
  if (last === null) return { text: output, status: null };
  return { text: output.slice(0, -last[0].length || undefined), status: Number(last[1]) };
}

function stripEnvelope(output: string, length: number): string {
  const rest = output.slice(length).trimStart();
  return rest
    .replace(/<\/output>\s*$/, '')
    .replace(/^code output:\s*/i, '')
    .replace(AFTER_STATUS, '');
}

function textFails(text: string, kind: CallKind): boolean {
  const opening = text.slice(0, OPENING_CHARS);
  const lineEnd = opening.indexOf('\n');
  const firstLine = lineEnd < 0 ? opening : opening.slice(0, lineEnd);
  const fails =
    kind === 'read' || kind === 'search'
      ? TOOL_COMPLAINT.test(firstLine.slice(0, LINE_CHARS))
      : // An editor answers in a sentence; a program may print any sentence.
        saysFailed(opening) || endedBadly(text) || (kind === 'edit' && complains(firstLine));
  return fails && !DONE.test(firstLine);
}

function saysFailed(opening: string): boolean {
  const result = opening.replace(NO_FAILURE, '');
  return FAILED_WORD.test(result) || FAILED_PHRASE.test(result);
}

function endedBadly(text: string): boolean {
  const last = lastLine(text);
  return ENDED_BADLY.test(last) || UNCAUGHT.test(last);
}

function saysCheckFailed(text: string): boolean {
  return (
    lastLines(text, SUMMARY_LINES).some((line) => SUMMARY.test(line)) ||
    lastLines(text, LAST_LINES).some((line) => {
      const result = line.replace(NO_FAILURE, '');
      return FAILED_COUNT.test(result) || BUILD_FAILED.test(result);
    })
  );
}

function lastLine(text: string): string {
  const end = text.slice(-LINE_CHARS).trimEnd();
  return end.slice(end.lastIndexOf('\n') + 1);
}

function lastLines(text: string, count: number): readonly string[] {
  return text
    .slice(-LINE_CHARS * count)
    .trimEnd()
    .split('\n')
    .slice(-count)
    .map((line) => line.trim());
}

function failureKindOf(line: string, text: string): string | null {
  const told = `${line}\n${lastLine(text)}`;
  return FAILURE_KINDS.find(([, words]) => words.test(told))?.[0] ?? null;
}
