/** `errorLine`, `isBanner`, `namesError`, `LISTED_LINE`: the line of an output that names its failure. */
import { inLines } from '../text/in-lines.ts';
import { complains } from '../text/complains.ts';
import { isEcho, withoutEcho, withoutLongEcho } from './echo.ts';

/** The number of lines, from the start and from the end, in which the error line is looked for. */
const LINES = 40;
const LINE_CHARS = 240;
const SCANNED_CHARS = 6_000;
/** A line such as "ERROR:" or "BUILD FAILED" alone is too short to name an error; the line after it does. */
const NAMING_CHARS = 16;
/** The name of an error is looked at from its end: most lines have none, and are passed without a look back. */
const NAMES_ERROR = inLines('')`
  (?<=(?:^|[\s.([<])[A-Za-z_.]{0,80})(?:Error|Exception|Failure|Panic)\b|(?:^|[\s.([<=])(?:(?:error|
  ERROR)(?:\[\w+\]| [A-Z]{1,5}\d{1,5})?:|fatal:|panic:|E  +\S|FAIL(?:ED)?\b|--- FAIL|[✕✗✖×] |command not found|No such file|not found|
  cannot|denied|unexpected|refused|timed out|undefined (?:reference|symbol)|unresolved external|missing separator)`;
export function namesError(line: string): boolean {
  return NAMES_ERROR.test(line);
}

export const TRACEBACK = 'Traceback (most recent call last)';

/** A numbered line of a file that a tool shows. */
export const LISTED_LINE = /^\s{0,8}\d{1,6}(?:: |:$|\t|\||→)/;

/** A tool that complains without naming an error does so at once. */
const COMPLAINT_LINES = 6;
export function errorLine(output: string, input: string): string {
  const text = output.length > SCANNED_CHARS ? output : withoutLongEcho(output);
  const all = candidateLines(text);
  const own = all.filter((line) => !LISTED_LINE.test(line) && !isEcho(line, input));
  const lines = own.length > 0 ? own : all;
  // A line is asked only where it may be chosen: to tell a banner takes longer than all the rest.
  const isWanted = own.every(isBanner) ? () => true : (line: string) => !isBanner(line);
  const names = (line: string) => NAMES_ERROR.test(line) && isWanted(line);
  const naming = NAMES_ERROR.test(lines.join('\n')) ? lines.filter(names) : [];
  const isTelling = (line: string) => line.length >= NAMING_CHARS;
  // A traceback ends with its error; other output begins with it.
  const isError = (line: string) => isTelling(line) && !COUNT_ONLY.test(line);
  const chosen = text.includes(TRACEBACK)
    ? (naming.findLast(isError) ?? naming.findLast(isTelling))
    : naming.find(isTelling);
  const named = chosen ?? naming[0];
  return withoutEcho(
    (named === undefined ? undefined : withBelow(named, lines, isWanted)) ??
      wentWrong(text) ??
      lines.find((line) => NUMBERED.test(line) && isWanted(line)) ??
      lines.values().filter(isWanted).take(COMPLAINT_LINES).find(complains) ??
      lines.find((line) => WORDS.test(line) && isWanted(line)) ??
      lines.find(isWanted) ??
      '',
    input,
  );
}

/** `x.xml Error:` says where; what it is stands below. */
function withBelow(line: string, lines: readonly string[], isWanted: (line: string) => boolean): string {
  const isHeading = /\b(?:[Ee]rror|Exception|failed):$/.test(line);
  const below = isHeading ? lines.slice(lines.indexOf(line) + 1).find(isWanted) : undefined;
  return below === undefined ? line : `${line} ${below}`.slice(0, LINE_CHARS);
}

/** Runners number what failed; dots and rules tell nothing. */
const NUMBERED = /^\d{1,3}\) \S/;
const WORDS = /[A-Za-z]{3}/;

/** Says that something failed, how it was run, under which number it is kept or where to read more, and not what failed. */
const BANNER = inLines('')`
  ^\W{0,4}(?:FAILURE: Build failed|BUILD FAIL(?:ED|URE)\b|Execution failed for task|What went wrong:|Where:|Try:)|^> Run with --|
  ^> Task \S+ FAILED$|^error: (?:could not compile|aborting due to|linker command failed)|^collect2: error|^ninja: build stopped|
  \bELIFECYCLE\b|^g?make(?:\[\d+\])?: \*\*\* .*Error \d|^\S{1,20} - [\w-]+ script failed|^(?:Randomized with seed|Run options:|
  Using --[\w-]*seed)|^(?:rootdir:|platform \w+ --|plugins:|⧗ )|^(?:PASS|✓|✔|ok) |^> \S+@\d|^> [\w./-]+(?: [\w./-]+)* --?\w|
  \b(?:[Tt]race|[Rr]equest|[Cc]orrelation|[Ii]ncident)(?:[ -]?[Ii][Dd])?: ?[\da-f-]{8,}$|
  ^(?:\w+: )*[Ss]ee (?:also )?https?:\S+(?: for more \w+\.?)?$`;
/** A build shows the command lines that it runs: a program and its flags. */
const SHOWN_COMMAND =
  /^(?:\[\d+\/\d+\] )?(?:[\w.+-]*\/)*[a-z][\w.+-]* -{1,2}[A-Za-z](?!.*: )|^\.{1,2}\/[\w./-]+$/;
/** A heading: what it announces stands below. */
const LABEL = /^(?:[A-Za-z]+ ){0,2}[A-Za-z]+:$/;
/** What a program logs below the level of an error. */
const LOGGED = /^\S*\d\d:\d\d:\d\d\S*\s+\W?(?:INFO|WARN(?:ING)?|DEBUG|TRACE)\b/i;

export function isBanner(line: string): boolean {
  return BANNER.test(line) || SHOWN_COMMAND.test(line) || LOGGED.test(line) || LABEL.test(line);
}

/** Gradle tells from the outside in: the last line is the reason. */
const WENT_WRONG = /\* What went wrong:\n([\s\S]{1,2000}?)(?=\n\s*\n|\n\* |$)/;
const SEE_ELSEWHERE =
  /\b(?:see|go to|visit) (?:the )?(?:log|output|report|doc)|\bthere were failing tests|\blearn (?:how|more)\b|<a href=/i;

function wentWrong(text: string): string | undefined {
  const block = WENT_WRONG.exec(text)?.[1]?.trim().split('\n') ?? [];
  const last = block.findLast((line) => !SEE_ELSEWHERE.test(line))?.replace(/^[>\s]+/, '');
  return last === undefined || isBanner(last) ? undefined : last;
}

/** The count with which a runner ends tells how many, not what. */
const COUNT_ONLY = /^FAILED \([\w=, ]{1,60}\)$/;

/** Gemini CLI shows the command and names the stream, RSpec the code. */
const ASKED = /^(?:Command|Directory|Failure\/Error): /;

function candidateLines(text: string): readonly string[] {
  const scanned =
    text.length > SCANNED_CHARS
      ? `${text.slice(0, SCANNED_CHARS / 2)}\n${text.slice(-SCANNED_CHARS / 2)}`
      : text;
  const all = scanned.split('\n');
  const picked = all.length > 2 * LINES ? [...all.slice(0, LINES), ...all.slice(-LINES)] : all;
  return picked
    .map((line) =>
      line
        .slice(0, LINE_CHARS)
        .trim()
        .replace(/^(?:#\s{2,}|[│┃] |(?:Stdout|Stderr|Output): (?=\S))/, ''),
    )
    .filter((line) => line !== '' && !ASKED.test(line));
}
