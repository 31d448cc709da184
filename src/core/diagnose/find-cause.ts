/**
 * `findCause`: one verdict from many lines. Order of trust: a signal or a firm exit code; then the lines that state a failure (the cause
 * from outside before the symptom, the first before the last); then what kind of program failed.
 */
import { inLines } from '../text/in-lines.ts';
import type { CommandFacts } from './command/command-line.ts';
import type { Role } from '../lexicon/programs.ts';
import type { ExitMeaning } from './command/exit-status.ts';
import { collectFindings } from './collect-findings.ts';
import type { LineFinding, ReadOutput } from './finding.ts';
import { COMMIT } from './lines/line-patterns.ts';
import { shapeOf } from './lines/line-shape.ts';
import { quotedLines } from './lines/passages.ts';
import { promoted, reported } from './lines/promote.ts';
import type { Line } from './lines/read-lines.ts';
import type { Recogniser } from '../lexicon/recogniser.ts';
import { isOutside } from './line-meaning.ts';
import { judgeTests } from './test-run.ts';
import { rolesInText } from './command/text-roles.ts';
import {
  closingComplaint,
  type Conclusion,
  explained,
  lastWords,
  strongest,
  withoutLines,
} from './weigh-findings.ts';

export interface CauseVerdict extends Conclusion {
  readonly findings: readonly LineFinding[];
  readonly roles: ReadonlySet<Role>;
}

/** A line needs this much to be a failure when no exit code says that something failed. */
const ENOUGH_ALONE = 0.45;

/** What a runner prints when nothing failed; what the tests themselves printed may come after it. */
const ALL_PASSED =
  /^(?:OK(?: \(.{1,80}\))?|test result: ok\b.{0,120}|Result: PASS|PASS|All tests passed[.!]?)$/;

/** How well each kind of evidence carries a verdict, before calibration. */
const SUPPORT = {
  /** A signal or a deadline ended it. */
  ended: 0.95,
  /** The log or the exit code says that all went well. */
  toldZero: 0.95,
  exitZero: 0.97,
  /** It shows what exists, or how it is called; tests ran, and none is said to have failed. */
  shows: 0.9,
  /** A conflict that the same command committed. */
  resolved: 0.7,
  /** The exit code says that a file could not be started, or that a signal ended it; a line says more. */
  named: 0.8,
  /** Chatter of a program that nothing is known of. */
  babble: 0.1,
  /** The text says that it went well; a cut-off text may say so of a part. */
  saysSo: 0.8,
  /** Nothing failed visibly, and nothing says that it went well. */
  noSign: 0.42,
};
/** A line needs this much to be a failure: hardly anything where the exit code says so, much where the output says that all went well. */
const NEEDED = { failed: 0.05, well: 0.8, alone: ENOUGH_ALONE };
/** Where an output ends well, a failure further up was got over. */
const LAST_LINES = 60;

export function findCause(
  lines: readonly Line[],
  command: CommandFacts,
  exit: ExitMeaning,
  recognisers: readonly Recogniser[],
  /** In a step of a CI service or a builder. */
  isCi: boolean,
  /** The log itself tells that all went well: `Finished: SUCCESS`, `"exit_code": 0`. */
  saysExitZero: boolean,
): CauseVerdict {
  const shapes = reported(lines, promoted(lines, lines.map(shapeOf)));
  const quoted = quotedLines(lines, shapes);
  const shown = rolesInText(lines.filter((_, at) => quoted[at] !== true));
  const roles = new Set<Role>([...command.roles, ...shown]);
  if (isCi) roles.add('check');
  if (roles.size === 0) roles.add('unknown');
  const output: ReadOutput = { lines, shapes, quoted, roles };
  const findings = collectFindings(output, recognisers, command.ranLast);
  const base = { findings, roles };
  const success = (support: number) => ({ ...base, failureType: 'success' as const, cause: null, support });

  if (exit.failureClass === 'interrupted' || (exit.failureClass === 'timeout' && exit.known)) {
    const alike = findings.filter((finding) => finding.failureClass === exit.failureClass);
    const same = alike.find((finding) => /SIG[A-Z]{2,}/.test(finding.line.text)) ?? alike[0];
    return { ...base, failureType: exit.failureClass, cause: same ?? null, support: SUPPORT.ended };
  }
  if (saysExitZero && !exit.failed) return success(SUPPORT.toldZero);
  const isBelieved = exit.known && !exit.failed && !command.hidesExit;
  if (isBelieved && (command.programs.length > 0 || saysSuccess(lines))) return success(SUPPORT.exitZero);
  if (!exit.failed && (command.onlyReads || command.asksHelp)) return success(SUPPORT.shows);

  // The exit code is that of the pipe, and what the program said is not there.
  const isBlank = lines.length > 1 && lines.every(({ text }) => text === '');
  if (isBlank && exit.known && !exit.failed && command.hidesExit)
    return { ...base, failureType: 'unknown', cause: null, support: SUPPORT.babble };
  const tests = judgeTests(output, findings);
  if (tests !== null && (exit.failed || tests.sure)) return { ...base, ...tests.verdict };

  const stating = new Set(
    findings
      .filter((finding) => finding.authority >= ENOUGH_ALONE && !finding.shape.tempered)
      .map((finding) => finding.index),
  );
  const well = !exit.failed && saysSuccess(lines, (at) => stating.has(at));
  const isOwnComplaint = findings.some((finding) => finding.recogniser?.id === 'test.harness');
  const saysPassed = () => saysSuccess(lines) || lines.some(({ text }) => ALL_PASSED.test(text));
  if (!exit.failed && shown.has('test') && tests === null && !isOwnComplaint && saysPassed())
    return success(SUPPORT.shows);
  const best = explained(strongest(exit.failed ? findings : standing(findings, lines), lines), findings);
  const failed =
    exit.failed ||
    (!well &&
      findings.some((finding) => finding.shape.kind === 'wrapper' && finding.shape.level !== 'warning'));
  const isConflict = !exit.failed && best?.failureClass === 'git_conflict';
  if (isConflict && saysSuccess(lines) && committedAfter(lines, best.index)) return success(SUPPORT.resolved);
  if (best !== null) {
    if (best.shape.kind === 'wrapper' && exit.failed && best.recogniser === null) {
      const guess = withoutLines(output, exit, command, null);
      const failureType = guess.failureType === 'unknown' ? best.failureClass : guess.failureType;
      return { ...base, failureType, cause: lastWords(output, failureType) ?? best, support: guess.support };
    }
    // A signal or a firm exit code tells more of a line without known words than what kind of program ran.
    const isNamed = best.recogniser !== null && best.recogniser.id !== 'runtime.file';
    if (exit.failureClass !== null && !isNamed && !isOutside(best.failureClass))
      return { ...base, failureType: exit.failureClass, cause: best, support: SUPPORT.named };
    if (isBabble(best, roles) && (exit.failed || isAll(lines, best)))
      return { ...base, failureType: 'unknown', cause: best, support: SUPPORT.babble };
    const needed = failed ? NEEDED.failed : well ? NEEDED.well : NEEDED.alone;
    if (best.authority >= needed && !(well && best.index < lines.length - LAST_LINES))
      return { ...base, failureType: best.failureClass, cause: best, support: supportOf(best) };
  }
  const closing = exit.known || well ? null : closingComplaint(output, findings);
  if (closing !== null) return { ...base, ...closing };
  if (!exit.failed) {
    const isZero = exit.known && !command.hidesExit;
    return success(isZero ? SUPPORT.toldZero : well ? SUPPORT.saysSo : SUPPORT.noSign);
  }
  const guess = withoutLines(output, exit, command, best);
  return { ...base, ...guess, cause: guess.cause ?? lastWords(output, guess.failureType) };
}

/** `file:row: words` without a severity, long before the end of an output that went on, is a remark. */
function standing(findings: readonly LineFinding[], lines: readonly Line[]): readonly LineFinding[] {
  return findings.filter(
    ({ index: at, authority, shape }) =>
      shape.kind !== 'diagnostic' || authority >= REMARK || lines.length - at <= REMARK_LINES,
  );
}

/** Less is told without a severity. */
export const REMARK = 0.5;
const REMARK_LINES = 12;

/** `name: words` in which nothing is known. */
function isChatter({ recogniser, shape, authority }: LineFinding): boolean {
  return recogniser === null && shape.kind === 'text' && authority <= BABBLE;
}

/** Chatter of a program that nothing is known of. */
function isBabble(finding: LineFinding, roles: ReadonlySet<Role>): boolean {
  return isChatter(finding) && roles.has('unknown') && roles.size === 1;
}

/** It is all that was said, or the last of two lines. */
function isAll(lines: readonly Line[], { index: at }: LineFinding): boolean {
  const filled = [...lines.keys()].filter((look) => lines[look]?.text !== '');
  return filled.length <= 2 && filled.at(-1) === at;
}

/** What `name: words` is worth where the words are no complaint. */
const BABBLE = 0.26;

/** The shape alone gives a class that is right about three times in four; words that are known give more. */
const NAMELESS = 0.8;

function supportOf(best: LineFinding): number {
  return best.recogniser === null && best.shape.kind !== 'diagnostic'
    ? best.authority * NAMELESS
    : best.authority;
}

/** A commit after the conflict: the same command resolved it. */
function committedAfter(lines: readonly Line[], at: number): boolean {
  return lines
    .slice(at + 1)
    .some(({ text }) => COMMIT.test(text) || /^\[[\w./-]{1,100} [0-9a-f]{7,40}\] /.test(text));
}

/** A verdict stands in the last screenful. */
const VERDICT_LINES = 12;

const WELL = inLines('i')`
  ^(?:done|ok|success|passed|finished|complete[d]?|clean|ready|all good)[.!]?$|\b(?:succeeded|success(?:ful(?:ly)?)?|completed|
  finished(?! in \d)|all (?:checks|tests|specs) pass(?:ed)?)\b|\b(?:(?:[1-9]\d*) (?:tests? )?pass(?:ed|ing)|up to date|
  upload(?:ed)? succeeded|build completed)\b|\b(?:BUILD SUCCESS(?:FUL)?|Done in|Built in|compiled successfully|built in|
  added \d+ packages?)\b|\b(?:Successfully installed|exit(?:ed)? (?:code|status) 0|recovered|healthy|no issues found|0 errors)\b|
  \b(?:0 fail(?:ures|ed|ing)(?![=\w])|deployed|saved|written|wrote|published|merged|fast-forward|nothing to do)\b|\b(?:are satisfied|
  Ran all test suites)\b|^OK\b|"(?:ok|success)": ?true|^PASS\b|test result: ok|^ok\b|✓|✔|✅|All done|\b200 OK\b|Already up to date|
  \b(?:is )?complete$|\b(?:check|test|syntax|configuration) (?:is )?OK\b`;
const BADLY = inLines('i')`
  \b(?:[1-9]\d* (?:failed|failing|failures?|errors?)|failed|failure|FAILED|errors?|aborted|before|unsuccessful)\b|\b(?:not (?:finished|
  completed)|fatal)\b|\bFAIL ?[›:=|] ?[1-9]`;

/** Failures that there are not, or not any more. */
const NONE_LEFT = inLines('gi')`
  \b(?:0|no) (?:failed|failing|failures?|errors?|problems?)\b|\b(?:errors?|failures?)(?= (?:no longer|(?:is|are|was|were) (?:gone|fixed|
  resolved)))`;

/** Whether the last lines of an output say that it worked. */
function saysSuccess(lines: readonly Line[], states: (at: number) => boolean = () => false): boolean {
  let looked = 0;
  for (let at = lines.length - 1; at >= 0 && looked < VERDICT_LINES; at -= 1) {
    const text = (lines[at] as Line).text;
    if (text === '') continue;
    if (states(at)) return false;
    looked += 1;
    const zeroed = text.replace(NONE_LEFT, ' ');
    if (BADLY.test(zeroed) && !/\b0 errors?\b/i.test(text)) return false;
    if (WELL.test(text)) return true;
  }
  return false;
}
