/** `rootCauseOf`: the root cause in one plain sentence: the deciding line, with the file, test, host or call that its surroundings name. */
import { comparisonAt } from '../text/comparison.ts';
import { fewNames } from '../text/few-names.ts';
import { FAILURE_CLASSES, type FailureClass } from '../vocabulary/classes/failure-class.ts';
import type { ExitMeaning } from './command/exit-status.ts';
import type { CauseFacts } from './facts.ts';
import type { CauseVerdict } from './find-cause.ts';
import { type MissingImport, missingImport } from './missing-import.ts';
import type { Line } from './lines/read-lines.ts';

export interface RootCause {
  readonly sentence: string;
  readonly missing: MissingImport | null;
  /** Of a conflict. */
  readonly paths: readonly string[];
  /** The thing to look at first, for plans: `tests/a.py:3`, `test_add`. */
  readonly place: string;
  /** The function whose value a test compared; empty where the text names none. */
  readonly call: string;
}

/** Findings this weak are only what the program said last. */
const LAST_WORDS = 0.1;

export function rootCauseOf(
  verdict: CauseVerdict,
  facts: CauseFacts,
  lines: readonly Line[],
  exit: ExitMeaning,
): RootCause {
  const { cause, failureType, roles } = verdict;
  const place = placeOf(verdict, facts);
  const base = { missing: null, paths: [], place, call: '' } as const;
  if (failureType === 'success') return { ...base, sentence: 'Nothing failed.' };
  if (cause === null) return { ...base, sentence: withoutLine(verdict, exit) };
  if (cause.authority <= LAST_WORDS)
    return { ...base, sentence: `${withoutLine(verdict, exit)} It said: ${ended(facts.message)}` };
  if (failureType === 'git_conflict') {
    const paths = conflictPaths(verdict);
    const were = paths.length === 1 ? 'was' : 'were';
    const sentence = ended(
      paths.length === 0 ? facts.message : `${fewNames(paths)} ${were} changed on both sides`,
    );
    return { ...base, paths, sentence };
  }
  const near = lines.slice(Math.max(0, cause.index - 8), cause.index + 6).map(({ text }) => text);
  const missing = missingImport(cause.line.text, near.join('\n'));
  const inTest = facts.test === '' ? '' : ` (${facts.test} fails)`;
  if (missing !== null) {
    const where = facts.file === '' ? 'The code' : facts.file;
    const sentence = `${where} uses ${missing.name} without importing it; the line \`${missing.line}\` is missing${inTest}.`;
    return { ...base, missing, sentence };
  }
  const isTest = failureType === 'test_failure';
  const compared = isTest || /Assert/.test(cause.shape.name) ? comparisonAt(lines, cause.index) : null;
  if (compared !== null) {
    const [subject, is] = compared.call === '' ? ['the value', 'it is'] : [compared.call, 'it returned'];
    const who = facts.test !== '' ? facts.test : isTest ? 'A test' : 'An assertion';
    const told = `${who} expects ${subject} to be ${compared.expected}, but ${is} ${compared.actual}`;
    const call = /^[\w.]{1,80}(?=\()/.exec(compared.call)?.[0] ?? '';
    return { ...base, call, sentence: ended(told, place) };
  }
  const who = !isTest || facts.test === '' || facts.message.includes(facts.test) ? '' : `${facts.test}: `;
  // A deadline of one test says little without its name.
  const named = failureType === 'timeout' && roles.has('test') ? inTest : hostOf(failureType, facts);
  return { ...base, sentence: ended(`${who}${facts.message}${named}`, place) };
}

/** What is wrong with the machine or an account has no place in the code; what is not installed is asked for somewhere. */
function placeOf({ failureType }: CauseVerdict, { file, row }: CauseFacts): string {
  if (failureType === 'success' || file === '') return '';
  const isElsewhere = FAILURE_CLASSES[failureType].scope !== 'session' && !PLACED.has(failureType);
  return isElsewhere ? '' : row > 0 ? `${file}:${row}` : file;
}

const PLACED: ReadonlySet<FailureClass> = new Set(['missing_dependency', 'environment']);

/** Who did not answer, where the line itself does not tell. */
function hostOf(failureType: FailureClass, { host, message }: CauseFacts): string {
  const { scope, hold } = FAILURE_CLASSES[failureType];
  const isTheirs = hold !== undefined || scope === 'account';
  return isTheirs && host !== '' && !message.includes(host) ? ` (${host})` : '';
}

function withoutLine(verdict: CauseVerdict, { known, failed, words }: ExitMeaning): string {
  const kind = [...verdict.roles].filter((role) => role !== 'unknown' && role !== 'check')[0];
  if (!known) return 'The output names no cause.';
  const what = kind === undefined ? 'The command' : `The command (${kind})`;
  if (!failed)
    return `${what} left only blank lines, and ${words} is that of its pipe: whether it passed is not known without \`set -o pipefail\`.`;
  const was = /^(?:ended|timeout)/.test(words) ? `was ${words}` : `ended with ${words}`;
  return `${what} ${was}; no line of its output names a cause.`;
}

function conflictPaths({ findings }: CauseVerdict): readonly string[] {
  const paths = findings
    .filter(({ failureClass }) => failureClass === 'git_conflict')
    .map(({ groups }) => groups['path']?.replace(/[.'"]$/, ''))
    .filter((path) => path !== undefined);
  return [...new Set(paths)];
}

function strip(text: string): string {
  return text.replace(/[.:;,\s]+$/, '');
}

/** One full stop at most; a question or a call keeps its own mark. A place that the text tells already is not told again. */
function ended(text: string, place = ''): string {
  const sentence = `${strip(text)}${tells(text, place) || place === '' ? '' : ` (${place})`}`;
  return /[!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}

function tells(text: string, place: string): boolean {
  const { file, row } = /^(?<file>.+):(?<row>\d+)$/.exec(place)?.groups ?? {};
  if (file === undefined) return text.includes(place);
  return text.includes(file) && new RegExp(`(?:line |[(:[])${row}\\b`).test(text);
}
