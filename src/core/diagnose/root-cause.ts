/** `rootCauseOf`: the root cause in one plain sentence. It names the file, the symbol, the test, the host or the limit. */
import { fewNames, wholeWords } from '../text/few-names.ts';
import { oneOf } from '../text/one-of.ts';
import { FAILURE_CLASSES, type FailureClass } from '../vocabulary/classes/failure-class.ts';
import type { ExitMeaning } from './command/exit-status.ts';
import { comparisonAt } from '../text/comparison.ts';
import type { CauseFacts } from './facts.ts';
import type { CauseVerdict } from './find-cause.ts';
import type { LineFinding } from './finding.ts';
import { type MissingImport, missingImport } from './missing-import.ts';
import type { OtherFinding } from './other-findings.ts';
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
/** Of other findings a few words are told. */
const OTHER_CHARS = 80;
const OTHERS_TOLD = 2;

export function rootCauseOf(
  verdict: CauseVerdict,
  facts: CauseFacts,
  lines: readonly Line[],
  exit: ExitMeaning,
  others: readonly OtherFinding[],
  command: string,
): RootCause {
  const place = placeOf(verdict, facts);
  const base = { missing: null, paths: [], place, call: '' } as const;
  if (verdict.failureType === 'success') return { ...base, sentence: 'Nothing failed.' };
  const cause = verdict.cause;
  if (cause === null) return { ...base, sentence: withoutLine(verdict, exit) };
  if (cause.authority <= LAST_WORDS)
    return { ...base, sentence: `${withoutLine(verdict, exit)} It said: ${ended(facts.message)}` };
  const holder = lockHolder(cause, command);
  if (holder !== '')
    return {
      ...base,
      sentence: ended(`The lock is held by ${holder} of the same command line: ${facts.message}`),
    };
  if (verdict.failureType === 'git_conflict') {
    const paths = conflictPaths(lines, facts);
    const vcs = cause.recogniser?.id === 'conflict.mercurial' ? 'hg' : 'git';
    const [were, them] = paths.length === 1 ? ['was', 'it'] : ['were', 'them'];
    const what =
      paths.length === 0
        ? facts.message
        : `${fewNames(paths)} ${were} changed on both sides and ${vcs} cannot merge ${them}`;
    return { ...base, paths, sentence: ended(what) };
  }
  const near = lines
    .slice(Math.max(0, cause.index - 8), cause.index + 6)
    .map((line) => line.text)
    .join('\n');
  const missing = missingImport(cause.line.text, near);
  if (missing !== null) {
    const where = facts.file === '' ? 'The code' : facts.file;
    return {
      ...base,
      missing,
      sentence: `${where} uses ${missing.name} without importing it; the line \`${missing.line}\` is missing${inTest(facts)}.`,
    };
  }
  const isTest = verdict.failureType === 'test_failure';
  if (isTest || /Assert/.test(cause.shape.name)) {
    const compared = comparisonAt(lines, cause.index);
    if (compared !== null) {
      const [subject, is] = compared.call === '' ? ['the value', 'it is'] : [compared.call, 'it returned'];
      const who = facts.test !== '' ? facts.test : isTest ? 'A test' : 'An assertion';
      return {
        ...base,
        call: /^[\w.]{1,80}(?=\()/.exec(compared.call)?.[0] ?? '',
        sentence: ended(
          `${who} expects ${subject} to be ${compared.expected}, but ${is} ${compared.actual}`,
          place,
          others,
        ),
      };
    }
  }
  if (isTest) {
    const who = facts.test === '' || facts.message.includes(facts.test) ? '' : `${facts.test}: `;
    return { ...base, sentence: ended(`${who}${facts.message}`, place, others) };
  }
  // A deadline of one test says little without its name.
  const named = verdict.failureType === 'timeout' && verdict.roles.has('test') ? inTest(facts) : '';
  return { ...base, sentence: fill(cause.recogniser?.cause ?? '{message}', facts, place, named, others) };
}

/** What is wrong with the machine or an account has no place in the code; what is not installed is asked for somewhere. */
function placeOf({ failureType }: CauseVerdict, { file, row }: CauseFacts): string {
  if (failureType === 'success' || file === '') return '';
  const isElsewhere = FAILURE_CLASSES[failureType].scope !== 'session' && !PLACED.has(failureType);
  return isElsewhere ? '' : row > 0 ? `${file}:${row}` : file;
}

const PLACED: ReadonlySet<FailureClass> = new Set(['missing_dependency', 'environment']);

function withoutLine(verdict: CauseVerdict, { known, failed, words }: ExitMeaning): string {
  const kind = [...verdict.roles].filter((role) => role !== 'unknown' && role !== 'check')[0];
  if (!known) return 'The output names no cause.';
  const what = kind === undefined ? 'The command' : `The command (${kind})`;
  if (!failed)
    return `${what} left only blank lines, and ${words} is that of the last part of its pipe: whether it passed is not known.`;
  const was = /^(?:ended|timeout)/.test(words) ? `was ${words}` : `ended with ${words}`;
  return `${what} ${was}; no line of its output names a cause.`;
}

/** A template that lacks its name, or says less than the line itself, is completed by the line. */
function fill(
  template: string,
  facts: CauseFacts,
  place: string,
  named: string,
  others: readonly OtherFinding[],
): string {
  const { sentence, lacks, unnamed } = filled(template, facts);
  if (lacks) return ended(facts.message, place, others);
  // What names two things says it all.
  const says = template.includes('{message}') || (template.split('{').length > 2 && !unnamed);
  return ended(says ? `${sentence}${named}` : `${strip(sentence)}${named}: ${facts.message}`, place, others);
}

/** What a recogniser knows to do about its case, with the names of this one. */
export function fixOf(cause: LineFinding | null, facts: CauseFacts, command: string): string {
  const holder = lockHolder(cause, command);
  if (holder !== '') return `Leave out ${holder}, or take the inner command out of it: waiting cannot help.`;
  const template = cause?.recogniser?.fix;
  return template === undefined ? '' : ended(filled(template, facts).sentence);
}

/** A command that takes a lock and runs another under it: the inner one asks for the same lock in vain. */
const LOCKS =
  /(?:^|[;&|\s])(?<outer>(?:flock|lockf|setlock|[\w.-]{1,40} with-lock)\b[^;&|"']{0,80}?) (?=(?:sh|bash|env)\b|--? |-c )/;

function lockHolder(cause: LineFinding | null, command: string): string {
  if (cause?.recogniser?.id !== 'environment.database-locked') return '';
  const outer = LOCKS.exec(command)?.groups?.['outer'];
  return outer === undefined ? '' : `the outer \`${outer}\``;
}

/** `{name|words}` stands for the words where the name is not known. */
function filled(template: string, facts: CauseFacts) {
  const where = facts.file || facts.path;
  const values: Readonly<Record<string, string>> = { ...facts.groups, ...facts, where, row: '', groups: '' };
  let lacks = false;
  let unnamed = false;
  const sentence = template.replace(/\{(\w+)(?:\|([^}]*))?\}/g, (_, name: string, otherwise?: string) => {
    const value = values[name] ?? '';
    if (value !== '') return value;
    unnamed = true;
    lacks ||= otherwise === undefined;
    return otherwise ?? '';
  });
  return { sentence, lacks, unnamed };
}

/** How git and patch name a file that they cannot merge. */
const CONFLICT = oneOf(
  /CONFLICT \([\w /-]+\): (?:Merge conflict in (?<path>.{1,300})|(?<path>\S{1,300}) deleted in)/,
  /^(?:both (?:modified|added)|deleted by (?:us|them)): (?<path>\S{1,300})/,
  /patch failed: (?<path>[^:\s]{1,300}):\d+|^(?<path>\S{1,300}): needs merge|patching file (?<path>\S{1,300})/,
  /conflicts while merging (?<path>\S{1,300})!/,
);

function conflictPaths(lines: readonly Line[], facts: CauseFacts): readonly string[] {
  const paths = new Set<string>();
  for (const line of lines) {
    const path = CONFLICT.exec(line.text)?.groups?.['path'];
    if (path !== undefined) paths.add(path.replace(/[.'"]$/, ''));
  }
  if (paths.size === 0 && facts.path !== '') paths.add(facts.path);
  return [...paths];
}

function at(place: string): string {
  return place === '' ? '' : ` (${place})`;
}

function inTest(facts: CauseFacts): string {
  return facts.test === '' ? '' : ` (${facts.test} fails)`;
}

function strip(text: string): string {
  return text.replace(/[.:;,\s]+$/, '');
}

/** One full stop at most; a question or a call keeps its own mark. A place that the text tells already is not told again. */
function ended(text: string, place = '', others: readonly OtherFinding[] = []): string {
  const told = `${strip(text)}${tells(text, place) ? '' : at(place)}${besides(others)}`;
  return /[!?…]$/.test(told) ? told : `${told}.`;
}

function tells(text: string, place: string): boolean {
  const { file, row } = /^(?<file>.+):(?<row>\d+)$/.exec(place)?.groups ?? {};
  if (file === undefined) return text.includes(place);
  return text.includes(file) && new RegExp(`(?:line |[(:[])${row}\\b`).test(text);
}

function besides(others: readonly OtherFinding[]): string {
  if (others.length === 0) return '';
  const some = others.slice(0, OTHERS_TOLD);
  const told = some.map(({ message, place }) => `${wholeWords(strip(message), OTHER_CHARS)}${at(place)}`);
  const more = others.length - OTHERS_TOLD;
  return `; also ${told.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
