/** `strongest`, `explained`, `lastWords`: which finding is the cause, and what to conclude when no line states a failure. */
import { FAILURE_CLASSES, type FailureClass } from '../vocabulary/classes/failure-class.ts';
import type { CommandFacts } from './command/command-line.ts';
import { complains } from '../text/complains.ts';
import type { ExitMeaning } from './command/exit-status.ts';
import { BARE, COMPLAINED } from './collect-findings.ts';
import { type LineFinding, nameless, type ReadOutput } from './finding.ts';
import { classByRole, isOutside } from './line-meaning.ts';
import type { Shape } from './lines/shape.ts';
import type { Line } from './lines/read-lines.ts';

/** What the lines, or the lack of them, amount to. */
export interface Conclusion {
  readonly failureType: FailureClass | 'success';
  readonly cause: LineFinding | null;
  /** 0 to 1: how well the evidence carries it, before calibration. */
  readonly support: number;
}

/** A refusal is the end of a short output; a long one that merely holds such words is a log or prose. */
const CLOSING_OUTPUT = 12;
const CLOSING_LINES = 3;
/** A later line of the same class replaces the first only if it says clearly more. */
const CLEARLY_MORE = 5;
/** Words this telling explain a nameless failure even from a debug line. */
const TELLING = 0.6;
/** A header that ends in a colon tells its reason in the lines right below. */
const ANNOUNCED_LINES = 5;

/** What explains a failure stands near it; a long log holds every word somewhere. */
const EXPLAINED_LINES = 80;

/** "Caused by:" goes inwards: a later one is nearer to the cause. */
const INWARDS = /^(?:Caused by: |\[cause\]: )/;

function weight(finding: LineFinding, total: number): number {
  let score = finding.authority * 100;
  if (isOutside(finding.failureClass) && finding.recogniser !== null) score += 14;
  score += finding.recogniser?.lead ?? 0;
  if (finding.shape.kind === 'wrapper') score -= 10;
  // A log that goes on for long after the line did not stop there.
  if (finding.shape.kind !== 'diagnostic' && finding.authority < 0.75 && total - finding.index > 200)
    score -= 25;
  return score;
}

export function strongest(findings: readonly LineFinding[], lines: readonly Line[]): LineFinding | null {
  let best: LineFinding | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const finding of findings) {
    // Where the outer exception says the same already, it is what people see first.
    const repeats =
      best !== null && best.line.text.includes(finding.shape.message.replace(/^[\w.$]{1,100}: /, ''));
    const score = weight(finding, lines.length) + (INWARDS.test(finding.line.text) && !repeats ? 8 : 0);
    const margin =
      best !== null && best.failureClass === finding.failureClass && best.recogniser !== null
        ? CLEARLY_MORE
        : 0.01;
    if (score > bestScore + margin) {
      best = finding;
      bestScore = score;
    }
  }
  return best;
}

/**
 * A symptom gives way to telling words elsewhere: "no version found" to the refused connection before it, a nameless failure to a limit
 * in its log.
 */
export function explained(best: LineFinding | null, findings: readonly LineFinding[]): LineFinding | null {
  if (best === null) return null;
  if (best.shape.kind === 'wrapper' || best.recogniser?.id === 'build.lint') {
    // A checker's last word about what it listed.
    const listed = findings.filter(
      ({ shape, failureClass }) => shape.kind === 'diagnostic' && failureClass === 'build_failure',
    );
    const first = listed.find(({ shape }) => shape.level === 'error') ?? listed[0];
    if (first !== undefined) return raised(first, best);
  }
  if (best.recogniser?.id === 'dependency.package' || best.recogniser?.id === 'dependency.no-version') {
    return raised(
      findings.find(
        (finding) =>
          finding.index < best.index &&
          FAILURE_CLASSES[finding.failureClass].stopsDownloads === true &&
          finding.recogniser !== null,
      ),
      best,
    );
  }
  if (
    best.recogniser !== null ||
    best.shape.kind === 'diagnostic' ||
    (best.shape.kind === 'exception' && best.authority > 0.95)
  )
    return best;
  const announces = best.shape.message.endsWith(':');
  const telling = findings.find(
    (finding) =>
      finding.recogniser !== null &&
      isOutside(finding.failureClass) &&
      (finding.recogniser.alone >= TELLING ||
        (announces && finding.index > best.index && finding.index <= best.index + ANNOUNCED_LINES)) &&
      !finding.shape.tempered &&
      Math.abs(finding.index - best.index) <= EXPLAINED_LINES &&
      finding.recogniser.lead === undefined,
  );
  return raised(telling, best);
}

function raised(finding: LineFinding | undefined, best: LineFinding): LineFinding {
  return finding === undefined
    ? best
    : { ...finding, authority: Math.max(finding.authority, best.authority) };
}

/**
 * No line states a failure, yet the exit code says that something failed: the line that complains or tells what to do, at the start of a
 * short output and at the end of a long one. All of a very short output is said about its end; any other line would be filler.
 */
export function lastWords(
  { lines, shapes, quoted }: ReadOutput,
  failureType: Conclusion['failureType'],
): LineFinding | null {
  if (failureType === 'success') return null;
  const spoken = [...lines.keys()].filter((at) => {
    const kind = shapes[at]?.kind;
    return quoted[at] !== true && (kind === 'text' || kind === 'log' || kind === 'json');
  });
  const outer = spoken.filter((at) => lines[at]?.indent === 0);
  const near = spoken.length <= CLOSING_OUTPUT ? outer : spoken.slice(-CLOSING_OUTPUT);
  const told = near.find((look) => complains(lines[look]?.text ?? '') || ASKS.test(lines[look]?.text ?? ''));
  const at = told ?? (spoken.length <= ALL_SAID ? (outer[0] ?? spoken[0]) : undefined);
  if (at === undefined) return null;
  const authority = told === undefined ? 0.1 : COMPLAINED;
  return nameless(lines[at] as Line, at, shapes[at] as Shape, failureType, authority);
}

/** The program tells what it wants. */
const ASKS = /^please \w/i;
/** Of more lines, the first is as often a greeting. */
const ALL_SAID = 3;

/** The exit code is unknown and no line has the shape of an error, but the output ends with a refusal: it stopped there. */
export function closingComplaint(
  { lines, shapes, quoted, roles }: ReadOutput,
  findings: readonly LineFinding[],
): Conclusion | null {
  const filled = [...lines.keys()].filter(
    (at) => lines[at]?.text !== '' && lines[at]?.indent === 0 && shapes[at]?.kind !== 'frame',
  );
  if (filled.length > CLOSING_OUTPUT) return null;
  const at = filled
    .slice(-CLOSING_LINES)
    .find(
      (look) =>
        quoted[look] !== true &&
        shapes[look]?.kind === 'text' &&
        lines[look]?.indent === 0 &&
        shapes[look]?.tempered === false &&
        (complains(lines[look]?.text ?? '') || isRecognised(findings, look)),
    );
  if (at === undefined) return null;
  const known = findings.find((finding) => finding.index === at);
  const shape = shapes[at] as Shape;
  const failureClass = known?.failureClass ?? classByRole(shape, roles);
  const cause = known ?? nameless(lines[at] as Line, at, shape, failureClass, COMPLAINED);
  return { failureType: failureClass, cause, support: COMPLAINED };
}

function isRecognised(findings: readonly LineFinding[], at: number): boolean {
  return findings.some(
    (finding) =>
      finding.index === at &&
      finding.recogniser !== null &&
      !BARE.test(finding.shape.body) &&
      /^[^<].{0,400}\S \S/.test(finding.line.text),
  );
}

export function withoutLines(
  { lines, roles }: ReadOutput,
  exit: ExitMeaning,
  command: CommandFacts,
  best: LineFinding | null,
): Conclusion {
  if (best !== null) return { failureType: best.failureClass, cause: best, support: best.authority };
  if (exit.failureClass !== null) return { failureType: exit.failureClass, cause: null, support: 0.8 };
  // grep, diff and test answer "no" with 1: nothing failed.
  if (command.onlyReads) return { failureType: 'success', cause: null, support: 0.6 };
  if (roles.has('test')) return { failureType: 'test_failure', cause: null, support: 0.5 };
  if (roles.has('build') || roles.has('lint') || (roles.has('check') && !roles.has('runtime')))
    return { failureType: 'build_failure', cause: null, support: 0.5 };
  if (roles.has('git')) return { failureType: 'git_error', cause: null, support: 0.4 };
  const isProgram = roles.has('runtime') || roles.has('shell') || lines.some(({ text }) => complains(text));
  return { failureType: isProgram ? 'runtime_error' : 'unknown', cause: null, support: 0.2 };
}
