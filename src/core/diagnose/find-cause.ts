/**
 * From lines to one verdict. Order of trust: a signal or a firm exit code; then the lines that state a failure, the
 * cause from outside before the symptom, the first before the last; then what kind of program failed.
 */
import type { FailureClass } from '../failure-class.ts';
import type { CommandFacts, Role } from './command-line.ts';
import { endsWell } from './ends-well.ts';
import type { ExitFacts } from './exit-status.ts';
import { classByRole, type Finding, meaningOf, OUTSIDE } from './finding.ts';
import { type Shape, shapeOf } from './line-shape.ts';
import { quotedLines } from './passages.ts';
import { promoted } from './promote.ts';
import { isNotable, type Line } from './read-lines.ts';
import type { Recogniser } from './recogniser.ts';
import { RECOGNISERS } from './recognisers/all.ts';
import { judgeTests } from './test-run.ts';
import { rolesInText } from './text-roles.ts';

export interface Verdict {
  readonly failureType: FailureClass | 'success';
  readonly cause: Finding | null;
  readonly findings: readonly Finding[];
  /** 0 to 1: how well the evidence carries the verdict, before calibration. */
  readonly support: number;
  readonly roles: ReadonlySet<Role>;
}

/** A line needs this much to be a failure when no exit code says that something failed. */
const ENOUGH_ALONE = 0.45;
/** Lines around a finding in which a recogniser may look for its company. */
const NEAR_LINES = 8;
const SHORT_OUTPUT = 8;
/** A later line of the same class replaces the first only if it says clearly more. */
const CLEARLY_MORE = 5;
/** Words this telling explain a nameless failure even from a debug line. */
const TELLING = 0.6;
const FAIL_WORD =
  /\b(?:failed|failure|error|cannot|could not|unable|denied|refused|aborted|fatal|exception|stopped|exceeded)\b/i;
/** Headers that only announce; what they announce stands below. */
const HEADER =
  /^(?:CMake (?:Error|Warning) at .{1,300}:|.{0,80}\b(?:Transform|Build|Compilation|Bundling) failed with \d+ errors?:|error: [|>][-+]?|\* What went wrong:|ERROR in \S{1,300}(?: \d+:\d+(?:-\d+)?)?|Failure\/Error:?|(?:The )?following errors? (?:occurred|were found):|Error:|ERROR:|error:|fatal:|Exception:|An error occurred:|(?:Error )?Message:|Unhandled [Ee]xception:|Failed to compile\.?)$/;
/** How far below its header an exception's message may stand. */
const DETAIL_LINES = 12;

export function findCause(
  lines: readonly Line[],
  command: CommandFacts,
  exit: ExitFacts,
  recognisers: readonly Recogniser[] = RECOGNISERS,
): Verdict {
  const shapes = promoted(lines, lines.map(shapeOf));
  const quoted = quotedLines(lines, shapes);
  const shown = rolesInText(lines.filter((_, at) => quoted[at] !== true));
  const roles = new Set<Role>([...command.roles, ...shown]);
  if (roles.size === 0) roles.add('unknown');
  const findings = collect(lines, shapes, quoted, roles, recognisers, command.ranLast);
  const base = { findings, roles };

  if (exit.failureClass === 'interrupted' || (exit.failureClass === 'timeout' && exit.known)) {
    const alike = findings.filter((finding) => finding.failureClass === exit.failureClass);
    const same = alike.find((finding) => /SIG[A-Z]{2,}/.test(finding.line.text)) ?? alike[0];
    return { ...base, failureType: exit.failureClass, cause: same ?? null, support: 0.95 };
  }
  const believed = exit.known && !exit.failed && !command.hidesExit;
  if (believed && (command.programs.length > 0 || endsWell(lines)) && !liesWithZero(command, findings))
    return { ...base, failureType: 'success', cause: null, support: 0.97 };
  if (!exit.failed && (command.onlyReads || command.asksHelp))
    return { ...base, failureType: 'success', cause: null, support: 0.9 };

  const tests = judgeTests(lines, shapes, quoted, findings, roles);
  if (tests !== null && (exit.failed || tests.sure)) return { ...base, ...tests.verdict };

  const stating = new Set(
    findings
      .filter((finding) => finding.authority >= ENOUGH_ALONE && !finding.shape.tempered)
      .map((finding) => finding.at),
  );
  const well = !exit.failed && endsWell(lines, (at) => stating.has(at));
  const harness = findings.some((finding) => finding.recogniser?.id === 'test.harness');
  if (!exit.failed && shown.has('test') && tests === null && !harness && endsWell(lines))
    return { ...base, failureType: 'success', cause: null, support: 0.9 };
  const best = explained(strongest(findings, lines), findings);
  const failed =
    exit.failed ||
    (!well &&
      findings.some((finding) => finding.shape.kind === 'wrapper' && finding.shape.level !== 'warning'));
  const needed = failed ? 0.05 : well ? 0.8 : ENOUGH_ALONE;
  if (best !== null && best.authority >= needed && !(well && best.at < lines.length - 60)) {
    return { ...base, failureType: best.failureClass, cause: best, support: best.authority };
  }
  if (!exit.failed)
    return { ...base, failureType: 'success', cause: null, support: exit.known || well ? 0.95 : 0.6 };
  const guess = withoutLines(lines, exit, command, roles, best);
  return { ...base, ...guess, cause: guess.cause ?? lastWords(lines, shapes, quoted, guess.failureType) };
}

/** Tools that are known to end with 0 although they failed. */
function liesWithZero(command: CommandFacts, findings: readonly Finding[]): boolean {
  const liars = new Set(['apt-get', 'apt', 'gunicorn', 'ansible', 'crontab']);
  if (!command.programs.some((program) => liars.has(program))) return false;
  return findings.some((finding) => finding.authority >= 0.6);
}

function collect(
  lines: readonly Line[],
  shapes: readonly Shape[],
  quoted: readonly boolean[],
  roles: ReadonlySet<Role>,
  recognisers: readonly Recogniser[],
  ranLast: Role | null,
): readonly Finding[] {
  const findings: Finding[] = [];
  for (const [at, line] of lines.entries()) {
    const shape = withDetail(seenAs(shapes[at] as Shape, roles), lines, at);
    if (
      quoted[at] === true ||
      shape.kind === 'blank' ||
      shape.kind === 'frame' ||
      shape.kind === 'source' ||
      shape.kind === 'pass' ||
      shape.kind === 'note'
    )
      continue;
    const near = (pattern: RegExp): boolean => {
      for (
        let look = Math.max(0, at - NEAR_LINES);
        look <= Math.min(lines.length - 1, at + NEAR_LINES);
        look += 1
      )
        if (pattern.test((lines[look] as Line).text)) return true;
      return false;
    };
    const meaning = meaningOf(shape, roles, near, recognisers);
    if (shape.kind === 'wrapper' && (meaning === null || !OUTSIDE.has(meaning.recogniser.failureClass))) {
      findings.push({
        line,
        at,
        shape,
        failureClass: classByRole(shape, roles, ranLast),
        recogniser: null,
        groups: {},
        authority: 0.2,
      });
      continue;
    }
    if (meaning === null && shape.authority < 0.2) continue;
    if (
      meaning === null &&
      (shape.kind === 'json' || shape.kind === 'log') &&
      shape.level !== 'error' &&
      shape.level !== 'fatal'
    )
      continue;
    let authority = Math.max(
      shape.authority,
      shape.kind === 'text' || shape.kind === 'json' ? (meaning?.recogniser.alone ?? 0) : 0,
    );
    if (shape.kind === 'text' && meaning !== null && FAIL_WORD.test(shape.body))
      authority = Math.max(authority, 0.55);
    if (shape.kind === 'log' && (shape.level === 'warning' || shape.level === 'info'))
      authority = Math.min(authority, 0.25);
    if (meaning === null && shape.kind !== 'diagnostic') authority *= 0.85;
    if (shape.tempered && !thrown(shapes, at)) authority *= goesOn(shapes, at) ? 0.35 : 0.85;
    if (thrown(shapes, at)) authority = Math.min(1, authority + 0.08);
    const failureClass =
      meaning === null
        ? showsSource(shapes, at)
          ? 'build_failure'
          : classByRole(shape, roles, ranLast)
        : meaning.recogniser.byRole === true
          ? classByRole(shape, roles, ranLast)
          : meaning.recogniser.failureClass;
    findings.push({
      line: shape.detail ?? line,
      at,
      shape,
      failureClass,
      recogniser: meaning?.recogniser ?? null,
      groups: meaning?.groups ?? {},
      authority,
    });
  }
  return findings;
}

/** `Error: …` under a marked piece of source, without a stack: a compiler speaks, even one that runs scripts. */
function showsSource(shapes: readonly Shape[], at: number): boolean {
  const shape = shapes[at] as Shape;
  return (
    shape.kind === 'exception' &&
    shape.name === 'Error' &&
    shapes[at - 1]?.kind === 'source' &&
    /[\^~]/.test(shapes[at - 1]?.body ?? '') &&
    shapes[at + 1]?.kind !== 'frame'
  );
}

/** Ordinary output after the line: the program really did go on. */
function goesOn(shapes: readonly Shape[], at: number): boolean {
  for (let look = at + 1; look < Math.min(shapes.length, at + 30); look += 1) {
    const shape = shapes[look] as Shape;
    if (
      shape.kind === 'pass' ||
      ((shape.kind === 'text' || shape.kind === 'note' || shape.kind === 'log') &&
        !shape.tempered &&
        !isNotable(shape.body))
    )
      return true;
  }
  return false;
}

/** A cross marks a failed test only where tests run; elsewhere it is how a program says "error". */
function seenAs(shape: Shape, roles: ReadonlySet<Role>): Shape {
  if (shape.kind !== 'test-mark' || roles.has('test')) return shape;
  return { ...shape, kind: 'statement', message: shape.body };
}

/** `LoadError:` and `ZodError: [` name nothing; the message stands below. */
function withDetail(shape: Shape, lines: readonly Line[], at: number): Shape & { readonly detail?: Line } {
  if (shape.kind === 'diagnostic' && /^(?:fatal )?error:?$/i.test(shape.message)) {
    const next = lines.slice(at + 1, at + 3).find((line) => line.text !== '');
    return next === undefined ? shape : { ...shape, message: next.text, detail: next };
  }
  if (HEADER.test(shape.body) || HEADER.test((lines[at] as Line).text)) {
    const next = lines
      .slice(at + 1, at + 5)
      .find((line) => line.text !== '' && !/^\S{1,200}:\d+:\d+$/.test(line.text));
    return next === undefined ? shape : { ...shape, message: next.text, detail: next };
  }
  if (shape.kind !== 'exception' || !/^[\w.:$\\]+(?: \[[\w-]+\])?:? ?[[{]?$/.test(shape.message))
    return shape;
  const opened = /[[{]$/.test(shape.message);
  if (!opened && !shape.message.endsWith(':')) return shape;
  for (let look = at + 1; look <= Math.min(at + DETAIL_LINES, lines.length - 1); look += 1) {
    const next = lines[look] as Line;
    if (next.text === '' || /^[[{}\](),]+$/.test(next.text)) continue;
    if (opened && !/^"?(?:code|message|msg|error)"?:/.test(next.text)) continue;
    return { ...shape, message: `${shape.message} ${next.text}`, detail: next };
  }
  return shape;
}

/** An exception with stack frames beside it was really thrown. */
function thrown(shapes: readonly Shape[], at: number): boolean {
  const shape = shapes[at] as Shape;
  if (shape.kind !== 'exception') return false;
  return (
    shapes[at + 1]?.kind === 'frame' ||
    shapes[at - 1]?.kind === 'frame' ||
    shapes[at - 1]?.kind === 'source' ||
    shapes[at - 2]?.kind === 'frame' ||
    shapes[at + 2]?.kind === 'frame'
  );
}

function weight(finding: Finding, total: number): number {
  let score = finding.authority * 100;
  if (OUTSIDE.has(finding.failureClass) && finding.recogniser !== null) score += 14;
  score += finding.recogniser?.lead ?? 0;
  if (finding.shape.kind === 'wrapper') score -= 10;
  // "Caused by:" goes inwards: a later one is nearer to the cause.
  if (/^(?:Caused by: |\[cause\]: )/.test(finding.line.text)) score += 8;
  // A log that goes on for long after the line did not stop there.
  if (finding.shape.kind !== 'diagnostic' && finding.authority < 0.75 && total - finding.at > 200)
    score -= 25;
  return score;
}

function strongest(findings: readonly Finding[], lines: readonly Line[]): Finding | null {
  let best: Finding | null = null;
  let bestScore = Number.NEGATIVE_INFINITY;
  for (const finding of findings) {
    const score = weight(finding, lines.length);
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

/** A symptom gives way to telling words elsewhere: "no version found" to the refused connection before it, a nameless failure to a limit in its log. */
function explained(best: Finding | null, findings: readonly Finding[]): Finding | null {
  if (best === null) return null;
  if (best.recogniser?.id === 'build.lint' || best.shape.kind === 'wrapper') {
    const diagnostics = findings.filter(
      (finding) => finding.shape.kind === 'diagnostic' && finding.failureClass === 'build_failure',
    );
    const first = diagnostics.find((finding) => finding.shape.level === 'error') ?? diagnostics[0];
    if (first !== undefined) return raised(first, best);
  }
  if (best.recogniser?.id === 'dependency.package' || best.recogniser?.id === 'dependency.no-version') {
    const reach = new Set<FailureClass>([
      'network_failure',
      'auth_failure',
      'overloaded',
      'rate_limited',
      'timeout',
    ]);
    return raised(
      findings.find(
        (finding) => finding.at < best.at && reach.has(finding.failureClass) && finding.recogniser !== null,
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
  const telling = findings.find(
    (finding) =>
      finding.recogniser !== null &&
      OUTSIDE.has(finding.failureClass) &&
      finding.recogniser.alone >= TELLING &&
      !finding.shape.tempered &&
      finding.recogniser.lead === undefined,
  );
  return raised(telling, best);
}

function raised(finding: Finding | undefined, best: Finding): Finding {
  return finding === undefined
    ? best
    : { ...finding, authority: Math.max(finding.authority, best.authority) };
}

/** Nothing states a failure, yet something failed: short outputs say why at once, long ones at the end. */
function lastWords(
  lines: readonly Line[],
  shapes: readonly Shape[],
  quoted: readonly boolean[],
  failureType: Verdict['failureType'],
): Finding | null {
  if (failureType === 'success' || failureType === 'unknown') return null;
  const spoken = [...lines.keys()].filter((at) => {
    const kind = shapes[at]?.kind;
    return quoted[at] !== true && (kind === 'text' || kind === 'log' || kind === 'json');
  });
  const outer = spoken.filter((at) => lines[at]?.indent === 0);
  const at = spoken.length <= SHORT_OUTPUT ? (outer[0] ?? spoken[0]) : (outer.at(-1) ?? spoken.at(-1));
  if (at === undefined) return null;
  return {
    line: lines[at] as Line,
    at,
    shape: shapes[at] as Shape,
    failureClass: failureType,
    recogniser: null,
    groups: {},
    authority: 0.1,
  };
}

function withoutLines(
  lines: readonly Line[],
  exit: ExitFacts,
  command: CommandFacts,
  roles: ReadonlySet<Role>,
  best: Finding | null,
): Pick<Verdict, 'failureType' | 'cause' | 'support'> {
  if (best !== null) return { failureType: best.failureClass, cause: best, support: best.authority };
  if (exit.failureClass !== null) return { failureType: exit.failureClass, cause: null, support: 0.8 };
  // grep, diff and test answer "no" with 1: nothing failed.
  if (command.onlyReads) return { failureType: 'success', cause: null, support: 0.6 };
  const empty = lines.every((line) => line.text === '');
  if (roles.has('test')) return { failureType: 'test_failure', cause: null, support: 0.5 };
  if (roles.has('build') || roles.has('lint'))
    return { failureType: 'build_failure', cause: null, support: 0.5 };
  if (roles.has('git')) return { failureType: 'git_error', cause: null, support: 0.4 };
  if (empty || lines.length > 0)
    return {
      failureType: roles.has('runtime') || roles.has('shell') ? 'runtime_error' : 'unknown',
      cause: null,
      support: 0.2,
    };
  return { failureType: 'unknown', cause: null, support: 0.1 };
}
