/** `readResult`: tells whether a tool's result is a failure, empty or useful, and finds the line that names the failure. */

/** A failure shows at the beginning of the text. Source code that mentions errors further down is not a failure. */
const OPENING_CHARS = 400;
/** The number of lines, from the start and from the end, in which the error line is looked for. */
const LINES = 40;
const LINE_CHARS = 240;
const SCANNED_CHARS = 6_000;
/** A line such as "ERROR:" or "BUILD FAILED" alone is too short to name an error; the line after it does. */
const NAMING_CHARS = 16;

/** What harnesses write before a command's output: its status. */
const ENVELOPE =
  /^\s{0,4}(?:<returncode>(-?\d{1,3})<\/returncode>(?:\s*<output>)?|exit ?code:? (-?\d{1,3})\b(?: \(execution \w+\))?|(?:chunk id: \w{1,40}\s+)?(?:wall time: [\d.]{1,20} seconds?\s+)?process exited with code (-?\d{1,3})\b)/i;
/** Codex writes the time and a heading between status and text. */
const AFTER_STATUS =
  /^(?:wall time: [^\n]{1,60}\s+|original token count: \d{1,12}\s+|total output lines: \d{1,12}\s+){0,3}output:\s*/i;
const FAILED_OPENING =
  /(^|[\s:>([])(error|errors|failed|failure|fatal|cannot|can't|could not|unable to|not found|no such|denied|not permitted|invalid|unknown (command|option|flag|tool)|traceback|usage:|not allowed|rejected|already exists|has introduced new syntax|[1-9]\d{0,4} (failed|failing|failures|errors?))\b/i;
/** The tool says that it did what it was asked; what follows only shows the result. */
const DONE_OPENING =
  /^.{0,400}\b(has been (updated|created|edited|written)|(created|updated|edited|written|applied|replaced) successfully|successfully (created|updated|edited|wrote|written|applied|replaced))\b/i;
const BARREN =
  /^(no (matches|results|files|output|match|such)|0 (matches|results)|nothing found|found 0|\(no output\)|file .{1,200} not found)/i;
const NAMES_ERROR =
  /(^|[\s.([<])([A-Za-z_.]{0,80}(Error|Exception|Failure|Panic)\b|error(\[\w+\])?:|fatal:|panic:|E  +\S|FAIL(ED)?\b|--- FAIL|✕|✗|command not found|No such file|not found|cannot|denied|unexpected|refused|timed out)/;
export const TRACEBACK = 'Traceback (most recent call last)';

/** Signs of a short answer that announces another one. */
const NOT_YET =
  /\b(in[ _-]progress|pending|queued|not (yet )?ready|still (running|building|waiting|in)|waiting for|\d{1,3} ?% (done|complete))\b/i;
const SHORT_ANSWER_CHARS = 400;

export function saysNotYet(text: string): boolean {
  return text.length <= SHORT_ANSWER_CHARS && NOT_YET.test(text);
}

export interface ResultReading {
  readonly failed: boolean;
  /** The result is empty: no match, no such file, no output. */
  readonly barren: boolean;
  /** The line that names the failure; empty if the call did not fail. */
  readonly errorLine: string;
  /** The result without the status that the harness added. */
  readonly text: string;
}

export function readResult(output: string, isError: boolean, looksOnly: boolean): ResultReading {
  const envelope = ENVELOPE.exec(output.slice(0, 160));
  const text = envelope === null ? output : stripEnvelope(output, envelope[0].length);
  const status = envelope === null ? null : Number(envelope[1] ?? envelope[2] ?? envelope[3]);
  const barren = text.trimStart() === '' || BARREN.test(text.trimStart().slice(0, 260));
  // A search that finds nothing ends with status 1 and no output: the result is empty, the call did not fail.
  if (looksOnly && barren && text.trim() === '') return { failed: false, barren, errorLine: '', text };
  const failed = isError || (status === null ? openingFails(text, looksOnly) : status !== 0);
  return { failed, barren, errorLine: failed ? errorLine(text) : '', text };
}

function stripEnvelope(output: string, length: number): string {
  const rest = output.slice(length).trimStart();
  return rest
    .replace(/<\/output>\s*$/, '')
    .replace(/^code output:\s*/i, '')
    .replace(AFTER_STATUS, '');
}

function openingFails(text: string, looksOnly: boolean): boolean {
  const opening = text.slice(0, OPENING_CHARS);
  if (DONE_OPENING.test(opening)) return false;
  const lineEnd = opening.indexOf('\n');
  // A file that was read may begin with any text; only the first line can be the tool's own message.
  return FAILED_OPENING.test(looksOnly && lineEnd > 0 ? opening.slice(0, Math.min(lineEnd, 160)) : opening);
}

function errorLine(text: string): string {
  const lines = candidateLines(text);
  const naming = lines.filter((line) => NAMES_ERROR.test(line));
  const telling = naming.filter((line) => line.length >= NAMING_CHARS);
  // A traceback ends with its error; other output begins with it.
  const chosen = text.includes(TRACEBACK) ? telling.at(-1) : telling[0];
  return chosen ?? naming[0] ?? lines[0] ?? '';
}

function candidateLines(text: string): readonly string[] {
  const scanned =
    text.length > SCANNED_CHARS
      ? `${text.slice(0, SCANNED_CHARS / 2)}\n${text.slice(-SCANNED_CHARS / 2)}`
      : text;
  const all = scanned.split('\n');
  const picked = all.length > 2 * LINES ? [...all.slice(0, LINES), ...all.slice(-LINES)] : all;
  return picked.map((line) => line.slice(0, LINE_CHARS).trim()).filter((line) => line !== '');
}
