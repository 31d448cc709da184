/** `rootCauseOf`: the root cause in one plain sentence. It names the file, the symbol, the test, the host or the limit. */
import { oneOf } from '../text/one-of.ts';
import { FAILURE_CLASSES, type FailureClass } from '../vocabulary/classes/failure-class.ts';
import { comparisonAt } from './comparison.ts';
import type { CauseFacts } from './facts.ts';
import type { CauseVerdict } from './find-cause.ts';
import type { LineFinding } from './finding.ts';
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
/** A person reads three names; the rest is a number. */
const NAMES_TOLD = 3;

export function rootCauseOf(
  verdict: CauseVerdict,
  facts: CauseFacts,
  lines: readonly Line[],
  exitWords: string,
): RootCause {
  const place = placeOf(verdict, facts);
  const base = { missing: null, paths: [], place, call: '' } as const;
  if (verdict.failureType === 'success') return { ...base, sentence: 'Nothing failed.' };
  const cause = verdict.cause;
  if (cause === null) return { ...base, sentence: withoutLine(verdict, exitWords) };
  if (cause.authority <= LAST_WORDS)
    return { ...base, sentence: `${withoutLine(verdict, exitWords)} It said: ${ended(facts.message)}` };
  if (verdict.failureType === 'git_conflict') {
    const paths = conflictPaths(lines, facts);
    const [were, them] = paths.length === 1 ? ['was', 'it'] : ['were', 'them'];
    const what =
      paths.length === 0
        ? facts.message
        : `${told(paths)} ${were} changed on both sides and git cannot merge ${them}`;
    return { ...base, paths, sentence: ended(what) };
  }
  const near = lines
    .slice(Math.max(0, cause.at - 8), cause.at + 6)
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
    const compared = comparisonAt(lines, cause.at);
    if (compared !== null) {
      const [subject, is] = compared.call === '' ? ['the value', 'it is'] : [compared.call, 'it returned'];
      const who = facts.test !== '' ? facts.test : isTest ? 'A test' : 'An assertion';
      return {
        ...base,
        call: /^[\w.]{1,80}(?=\()/.exec(compared.call)?.[0] ?? '',
        sentence: `${who} expects ${subject} to be ${compared.expected}, but ${is} ${compared.actual}${at(place)}.`,
      };
    }
  }
  if (isTest) {
    const who = facts.test === '' || facts.message.includes(facts.test) ? '' : `${facts.test}: `;
    return { ...base, sentence: ended(`${who}${facts.message}`, place) };
  }
  // A deadline of one test says little without its name.
  const named = verdict.failureType === 'timeout' && verdict.roles.has('test') ? inTest(facts) : '';
  return { ...base, sentence: fill(cause.recogniser?.cause ?? '{message}', facts, place, named) };
}

/** What is wrong with the machine or an account has no place in the code; what is not installed is asked for somewhere. */
function placeOf({ failureType }: CauseVerdict, { file, row }: CauseFacts): string {
  if (failureType === 'success' || file === '') return '';
  const isElsewhere = FAILURE_CLASSES[failureType].scope !== 'session' && !PLACED.has(failureType);
  return isElsewhere ? '' : row > 0 ? `${file}:${row}` : file;
}

const PLACED: ReadonlySet<FailureClass> = new Set(['missing_dependency', 'environment']);

function withoutLine(verdict: CauseVerdict, exitWords: string): string {
  const kind = [...verdict.roles].filter((role) => role !== 'unknown' && role !== 'check')[0];
  if (exitWords === '') return 'The output names no cause.';
  const what = kind === undefined ? 'The command' : `The command (${kind})`;
  const was = /^(?:ended|timeout)/.test(exitWords) ? `was ${exitWords}` : `ended with ${exitWords}`;
  return `${what} ${was}; no line of its output names a cause.`;
}

/** A template that lacks its name, or says less than the line itself, is completed by the line. */
function fill(template: string, facts: CauseFacts, place: string, named: string): string {
  const { sentence, lacks, unnamed } = filled(template, facts);
  if (lacks) return ended(facts.message, place);
  // What names two things says it all.
  const says = template.includes('{message}') || (template.split('{').length > 2 && !unnamed);
  return ended(says ? `${sentence}${named}` : `${strip(sentence)}${named}: ${facts.message}`, place);
}

/** What a recogniser knows to do about its case, with the names of this one. */
export function fixOf(cause: LineFinding | null, facts: CauseFacts): string {
  const template = cause?.recogniser?.fix;
  return template === undefined ? '' : ended(filled(template, facts).sentence);
}

/** `{name|words}` stands for the words where the name is not known. */
function filled(template: string, facts: CauseFacts) {
  const values: Readonly<Record<string, string>> = { ...facts.groups, ...facts, row: '', groups: '' };
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

function told(names: readonly string[]): string {
  if (names.length <= NAMES_TOLD) return names.join(', ').replace(/, ([^,]*)$/, ' and $1');
  return `${names.slice(0, NAMES_TOLD).join(', ')} and ${names.length - NAMES_TOLD} more`;
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

/** One full stop at most; a question or a call keeps its own mark. */
function ended(text: string, place = ''): string {
  const told = `${strip(text)}${at(place)}`;
  return /[!?…]$/.test(told) ? told : `${told}.`;
}
