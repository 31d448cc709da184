/**
 * `meaningOf`: the first recogniser that knows a line. `classByRole`: the class of a line that none knows. `isOutside`: of a class.
 */
import { FAILURE_CLASSES, type FailureClass } from '../vocabulary/classes/failure-class.ts';
import type { Role } from '../lexicon/programs.ts';
import type { Shape } from './lines/shape.ts';
import type { Recogniser } from '../lexicon/recogniser.ts';
import { withStatus } from '../lexicon/http-status.ts';

/** A class that comes from outside the program: network, disk, login. */
export function isOutside(failureClass: FailureClass): boolean {
  return FAILURE_CLASSES[failureClass].isOutside === true;
}

/** A value that a test compared; its words are the program's data. */
const VALUE = /^(?:left|right|expected|actual|received|got|want(?:ed)?)(?: value)?:? {0,4}["'`<[{]/i;
/** The name of a file or an address, alone on its line, is listed; it says nothing. */
const FILE_NAME = /^(?:[\w@./-]{1,200}\.[a-z]{1,5}|(?:\[[\w ]{1,20}\] )?https?:\/\/\S{1,400})$/;
/** What is being done says nothing of how it ends. */
const PROGRESS = /^[A-Z][a-z]{2,20}ing [^:]{1,200}\.\.\.$/;
const ASSERTION = /Assert|Expectation|Comparison|^[Ee]xpect/;

interface Meaning {
  readonly recogniser: Recogniser;
  readonly groups: Readonly<Record<string, string>>;
}

export function meaningOf(
  shape: Shape,
  roles: ReadonlySet<Role>,
  near: (pattern: RegExp) => boolean,
  list: readonly Recogniser[],
): Meaning | null {
  const text = withStatus(shape.message.replace(/\bcan not\b/i, 'cannot'));
  if (text === '' || VALUE.test(shape.body) || FILE_NAME.test(text) || PROGRESS.test(text)) return null;
  const isAssertion =
    shape.kind === 'exception' && (ASSERTION.test(shape.name) || /^\w+: [Ee]xpected\b/.test(text));
  const mayMean = ({ failureClass, roles: wanted, without }: Recogniser): boolean =>
    !(isAssertion && isOutside(failureClass)) &&
    (shape.kind !== 'diagnostic' || FAILURE_CLASSES[failureClass].inDiagnostics === true) &&
    wanted?.some((role) => roles.has(role)) !== false &&
    without?.some((role) => roles.has(role)) !== true;
  const meant = list.filter(mayMean);
  const meaningIn = (said: string): Meaning | null => {
    for (const recogniser of meant) {
      const pattern = recogniser.says.find((each) => each.test(said));
      if (pattern === undefined || recogniser.unless?.test(said) === true || lacks(recogniser, said))
        continue;
      if (recogniser.near === undefined || near(recogniser.near))
        return { recogniser, groups: definedGroups(pattern.exec(said)?.groups) };
    }
    return null;
  };
  return meaningIn(text) ?? (JOINED.test(text) ? meaningIn(spelledOut(text)) : null);
}

/** What must be said beside it is not there; a single word is a name and says nothing. */
function lacks({ and }: Recogniser, said: string): boolean {
  return and !== undefined && (!said.includes(' ') || !and.test(said));
}

/** `CONNECTION_REFUSED` and `ConnectionRefused` say what "connection refused" says; file names say nothing. */
const JOINED = /[A-Z]{2,}_[A-Z]{2,}|[a-z][A-Z][a-z]/;

function spelledOut(text: string): string {
  return text
    .split(' ')
    .map((word) =>
      /[./]/.test(word)
        ? word
        : word.replace(/(?<=[A-Za-z])_(?=[A-Za-z])/g, ' ').replace(/(?<=[a-z])(?=[A-Z][a-z])/g, ' '),
    )
    .join(' ');
}

function definedGroups(groups: Record<string, string | undefined> | undefined): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(groups ?? {})) if (value !== undefined) defined[name] = value;
  return defined;
}

/** The class of a line without a known meaning, from what kind of line and what kind of program it is. */
export function classByRole(
  shape: Shape,
  roles: ReadonlySet<Role>,
  ranLast: Role | null = null,
  /** Where nothing tells what ran. */
  otherwise: FailureClass = 'runtime_error',
): FailureClass {
  const isJudged = roles.has('lint') || roles.has('test');
  const isSaid = shape.kind === 'text' || shape.kind === 'wrapper';
  if (roles.has('git') && (shape.kind === 'statement' || (isSaid && !isJudged))) return 'git_error';
  if (shape.kind === 'diagnostic') {
    if (shape.authority >= 0.8) return 'build_failure';
    return roles.has('test')
      ? 'test_failure'
      : roles.has('runtime') && !roles.has('build') && !roles.has('lint')
        ? 'runtime_error'
        : 'build_failure';
  }
  if (ranLast === 'runtime' && !roles.has('git')) return 'runtime_error';
  if (roles.has('test')) return 'test_failure';
  if (roles.has('build') || roles.has('lint')) return 'build_failure';
  // A package manager that fails while it installs could not fetch something.
  if (roles.has('install') && shape.kind === 'statement' && !roles.has('runtime'))
    return 'missing_dependency';
  if (shape.kind === 'test-mark') return 'test_failure';
  if (roles.has('check') && shape.kind !== 'exception' && !roles.has('runtime')) return 'build_failure';
  return shape.placed && !roles.has('runtime') && !roles.has('database') ? 'build_failure' : otherwise;
}
