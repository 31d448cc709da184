/** `collectFindings`: every line that states a failure, with its meaning and its weight. */
import { inLines } from '../text/in-lines.ts';
import { complains } from '../text/complains.ts';
import type { Role } from '../lexicon/programs.ts';
import { type LineFinding, nameless, type ReadOutput } from './finding.ts';
import { classByRole, isOutside, meaningOf } from './line-meaning.ts';
import { WRAPPER } from './lines/line-patterns.ts';
import type { Shape } from './lines/shape.ts';
import { isNotable, type Line } from './lines/read-lines.ts';
import type { Recogniser } from '../lexicon/recogniser.ts';

/** Lines around a finding in which a recogniser may look for its company. */
const NEAR_LINES = 8;
const FAIL_WORD =
  /\b(?:failed|failure|error|cannot|could not|unable|denied|refused|aborted|fatal|exception|stopped|exceeded)\b/i;
/** Two or three words without a mark: as often a value as a statement. */
export const BARE = /^[a-z][\w-]{0,30}(?: [\w-]{1,30}){0,2}$/;
const BARE_AUTHORITY = 0.4;
/** More than the last words, less than a statement. */
export const COMPLAINED = 0.3;
/** A wrapper only says that something failed. */
const WRAPPED = 0.2;
/** Headers that only announce; what they announce stands below. */
const HEADER = inLines('')`
  ^(?:(?:Error: )?(?:Failed|Could not|Unable) to \w{1,20}(?: \w{1,20})?:|Errors:|ERRORS:|FAIL(?:ED|URES?)?:)$|
  ^(?:(?:[A-Z][\w-]{1,30} ){1,3}[Ee]rror:|Warning, treated as error:)$|^(?:An error (?:has )?occurred: \w{2,60}(?:Error|Exception):|
  ERROR: In \w{1,30} \w{1,40}:|[\w.-]{1,40} aborted!)$|^(?:\w{2,40}Error:|CMake (?:Error|Warning) at .{1,300}:)$|
  ^(?:.{0,80}\b(?:Transform|Build|Compilation|Bundling) failed with \d+ errors?:|error: [|>][-+]?|\* What went wrong:)$|
  ^(?:ERROR in \S{1,300}(?: \d+:\d+(?:-\d+)?)?|Failure\/Error:?|(?:The )?following errors? (?:occurred|were found):)$|
  ^(?:The )?following (?:tests?|checks?|targets?|tasks?)(?: have| has)? (?:FAILED|failed):$|^(?:Error:|ERROR:|error:|fatal:|Exception:|
  An error occurred:|(?:Error )?Message:|Unhandled [Ee]xception:)$|^(?:Failed to compile\.?|(?:[Pp]lease|PLEASE) (?:apply|
  APPLY) (?:the )?(?:changes|CHANGES|diff|DIFF|patch|PATCH) (?:below|BELOW):?)$`;
/** How far below its header an exception's message may stand. */
const DETAIL_LINES = 12;

const SAYS_NOTHING: ReadonlySet<Shape['kind']> = new Set(['blank', 'frame', 'source', 'pass', 'note']);

export function collectFindings(
  { lines, shapes, quoted, roles }: ReadOutput,
  recognisers: readonly Recogniser[],
  ranLast: Role | null,
): readonly LineFinding[] {
  const findings: LineFinding[] = [];
  for (const [at, line] of lines.entries()) {
    if (quoted[at] === true || SAYS_NOTHING.has((shapes[at] as Shape).kind)) continue;
    const shape = withDetail(seenAs(shapes[at] as Shape, roles), lines, at);
    const near = (pattern: RegExp): boolean =>
      lines.slice(Math.max(0, at - NEAR_LINES), at + NEAR_LINES + 1).some(({ text }) => pattern.test(text));
    const meaning = meaningOf(shape, roles, near, recognisers);
    if (shape.kind === 'wrapper' && (meaning === null || !isOutside(meaning.recogniser.failureClass))) {
      const failureClass = classByRole(shape, roles, ranLast);
      findings.push(nameless(line, at, shape, failureClass, WRAPPED));
      continue;
    }
    if (meaning === null && shape.authority < 0.2) continue;
    const isRecord = shape.kind === 'json' || shape.kind === 'log';
    if (meaning === null && isRecord && shape.level !== 'error' && shape.level !== 'fatal') continue;
    let authority = Math.max(
      shape.authority,
      shape.kind === 'text' || shape.kind === 'json' ? (meaning?.recogniser.alone ?? 0) : 0,
    );
    if (meaning?.recogniser.alone === 0 && authority < COMPLAINED) {
      if (authority > 0 || !complains(shape.body)) continue;
      authority = COMPLAINED;
    }
    if (
      shape.kind === 'text' &&
      meaning !== null &&
      meaning.recogniser.alone > 0 &&
      FAIL_WORD.test(shape.body)
    )
      authority = Math.max(authority, 0.55);
    if (shape.kind === 'text' && (BARE.test(shape.body) || /^<\w/.test(shape.body)))
      authority = Math.min(authority, BARE_AUTHORITY);
    if (shape.kind === 'log' && (shape.level === 'warning' || shape.level === 'info'))
      authority = Math.min(authority, 0.25);
    if (meaning === null && shape.kind !== 'diagnostic') authority *= 0.85;
    if (shape.tempered && !thrown(shapes, at)) authority *= goesOn(shapes, at) ? 0.35 : 0.85;
    if (thrown(shapes, at)) authority = Math.min(1, authority + 0.08);
    const failureClass =
      meaning === null
        ? showsSource(shapes, at) || (shape.kind === 'exception' && IN_SOURCE.test(shape.message))
          ? 'build_failure'
          : classByRole(shape, roles, ranLast)
        : meaning.recogniser.byRole !== undefined
          ? classByRole(shape, roles, ranLast, meaning.recogniser.byRole)
          : meaning.recogniser.failureClass;
    findings.push({
      line: shape.detail ?? line,
      index: at,
      shape,
      failureClass,
      recogniser: meaning?.recogniser ?? null,
      groups: meaning?.groups ?? {},
      authority,
    });
  }
  return findings;
}

/** `… on line 3, col 4`, `… (user.proto, line 2)`: what was read is wrong, not what ran. */
const IN_SOURCE = /\bon line \d{1,7}, col|\([\w./-]{1,200}\.\w{1,8}, line \d{1,7}\)$/;

/** `Error: …` under a marked piece of source, without a stack: a compiler speaks, even one that runs scripts. */
function showsSource(shapes: readonly Shape[], at: number): boolean {
  const shape = shapes[at] as Shape;
  return (
    ((shape.kind === 'exception' && shape.name === 'Error') || shape.kind === 'statement') &&
    (shapes[at - 1]?.kind === 'source' ||
      (shapes[at + 1]?.kind === 'source' && shapes[at + 2]?.kind === 'source')) &&
    !shapes.slice(at + 1, at + 4).some(({ kind }) => kind === 'frame')
  );
}

/** Ordinary output after the line: the program really did go on. */
function goesOn(shapes: readonly Shape[], at: number): boolean {
  for (let look = at + 1; look < Math.min(shapes.length, at + 30); look += 1) {
    const shape = shapes[look] as Shape;
    if (
      shape.kind === 'pass' ||
      shape.kind === 'note' ||
      ((shape.kind === 'text' || shape.kind === 'log') && !shape.tempered && !isNotable(shape.body))
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
  if (shape.kind === 'diagnostic' && /^(?:(?:fatal )?error:?|In procedure \S{1,80}:)$/i.test(shape.message)) {
    // Its message is further in; another job may have spoken in between.
    const below = lines.slice(at + 1, at + 5).filter((line) => line.text !== '');
    const next = below.find(({ indent }) => indent > (lines[at] as Line).indent) ?? below[0];
    return next === undefined ? shape : { ...shape, message: next.text, detail: next };
  }
  if (
    shape.kind === 'exception' &&
    /^(?:[A-Z]\w{1,20} )?error \(\w{1,80}\) (?:at|in|while)\b/.test(shape.message)
  ) {
    const next = lines.slice(at + 1, at + 3).find((line) => line.text !== '');
    return next === undefined ? shape : { ...shape, message: `${shape.name}: ${next.text}`, detail: next };
  }
  if (HEADER.test(shape.body) || HEADER.test((lines[at] as Line).text)) {
    const next = lines
      .slice(at + 1, at + 5)
      .find((line) => /\w/.test(line.text) && !/^\S{1,200}(?::\d+:\d+|\.\w{1,4})$/.test(line.text));
    if (next === undefined) return shape;
    // `rake aborted!` and `Failed 2 checks` below it: both only say that something failed.
    if (WRAPPER.test(next.text)) return { ...shape, kind: 'wrapper', authority: 0.3 };
    return { ...shape, message: next.text, detail: next };
  }
  if (shape.kind !== 'exception' || !/^[\w.:$\\]+(?: \[[\w-]+\])?:? ?[[{]?$/.test(shape.message))
    return shape;
  const opened = /[[{]$/.test(shape.message);
  if (!opened && !shape.message.endsWith(':')) return shape;
  for (let look = at + 1; look <= Math.min(at + DETAIL_LINES, lines.length - 1); look += 1) {
    const next = lines[look] as Line;
    if (next.text === '' || /^[^\w]+$/.test(next.text)) continue;
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
