/**
 * `matchLessons`: which lessons fit a situation. Agent, paths, words and commands of a lesson must all hold; a class or a cause makes the
 * match better and is required only where the lesson names nothing else. Best match first: the same cause, the same class, the paths, the
 * tool or command, the agent, words of the task, and last the repository as a whole. Linear in the number of lessons: a lesson holds words
 * and globs, never a regular expression.
 */
import { matchesGlob } from '../core/text/glob.ts';
import { wordSet } from '../core/text/word-list.ts';
import { LESSON_MATCHES, type LessonMatch, speaksOf } from '../core/vocabulary/lesson.ts';
import type { Lesson } from './lesson.ts';

export interface Situation {
  readonly agent: string;
  readonly task: string;
  /** Globs or paths: what may change, what was changed. `**` says nothing. */
  readonly paths: readonly string[];
  /** Command lines and tools of the run: what prepares and checks it, what was denied, failed or repeated. */
  readonly commands: readonly string[];
  /** The trouble that is to be answered now; null at the start of a run. */
  readonly incident: {
    readonly class: string;
    readonly fingerprint: string | null;
    readonly cause: string;
  } | null;
  /** The fingerprints of trouble seen in this repository before. */
  readonly seen: ReadonlySet<string>;
}

export interface Matchable {
  readonly lesson: Lesson;
  /** How useful it has proved; higher comes first among equals. */
  readonly worth: number;
}

export interface Match<T extends Matchable> {
  readonly item: T;
  readonly match: LessonMatch;
  readonly why: string;
}

/** `CI=1 NODE_ENV=test ` before a program. A value in quotes may hold spaces. */
const VARIABLES = /^(?:\w{1,100}=(?:"[^"]*"|'[^']*'|[^\s"']*) )+/;

/** A task is matched by its beginning; the rest of a pasted log says nothing about what is wanted. */
const MAX_TASK_CHARS = 20_000;

export function matchLessons<T extends Matchable>(items: readonly T[], situation: Situation): Match<T>[] {
  const words = wordSet(`${situation.task.slice(0, MAX_TASK_CHARS)} ${situation.incident?.cause ?? ''}`);
  const paths = [...situation.paths.filter((path) => path !== '**'), ...namedPaths(situation.task)];
  const calls = situation.commands.flatMap(singleCommands);
  const found: Match<T>[] = [];
  for (const item of items) {
    const match = matchOne(item.lesson, situation, { words, paths, calls });
    if (match !== null) found.push({ item, ...match });
  }
  return found.toSorted(
    (a, b) =>
      LESSON_MATCHES.indexOf(a.match) - LESSON_MATCHES.indexOf(b.match) ||
      b.item.worth - a.item.worth ||
      (a.item.lesson.id < b.item.lesson.id ? -1 : 1),
  );
}

interface Spoken {
  readonly words: ReadonlySet<string>;
  readonly paths: readonly string[];
  readonly calls: readonly string[];
}

function matchOne(
  lesson: Lesson,
  { agent, incident, seen }: Situation,
  { words, paths, calls }: Spoken,
): { readonly match: LessonMatch; readonly why: string } | null {
  const { commands = [] } = lesson;
  const isAsked = incident !== null && speaksOf(lesson, incident);
  const cause =
    lesson.fingerprints.find((one) => one === incident?.fingerprint) ??
    lesson.fingerprints.find((one) => seen.has(one));
  const path = lesson.paths.find((glob) => paths.some((other) => overlap(glob, other)));
  const command = commands.find((one) => calls.some((call) => beginsWith(call, one)));
  const phrase = lesson.words.find((one) => hasAll(words, one));
  // A lesson with paths is kept where the files of the work are not known yet; the same cause says more than the commands that led to it.
  if (lesson.agents.length > 0 && !lesson.agents.includes(agent)) return null;
  if (lesson.paths.length > 0 && path === undefined && paths.length > 0) return null;
  if (lesson.words.length > 0 && phrase === undefined) return null;
  if (commands.length > 0 && command === undefined && cause === undefined) return null;
  if (isAsked)
    return cause === undefined
      ? { match: 'class', why: `it is about ${incident.class}` }
      : { match: 'fingerprint', why: `the same cause as ${cause}` };
  if (cause !== undefined)
    return { match: 'fingerprint', why: `the cause ${cause} was seen in this repository` };
  if (path !== undefined) return { match: 'paths', why: `the work touches ${path}` };
  if (command !== undefined) return { match: 'command', why: `the run uses ${command}` };
  if (lesson.agents.length > 0) return { match: 'agent', why: `it is about ${agent}` };
  if (phrase !== undefined) return { match: 'words', why: `the task or the trouble speaks of ${phrase}` };
  // A lesson about a cause or a class alone is left out until that comes up.
  if (lesson.classes.length > 0 || lesson.fingerprints.length > 0) return null;
  return lesson.paths.length > 0
    ? {
        match: 'repository',
        why: `nothing says which files the work touches; ${lesson.paths[0]} may be among them`,
      }
    : { match: 'repository', why: 'it is about this repository' };
}

function singleCommands(line: string): readonly string[] {
  return line.split(/[;|&\n]+/).map((part) => part.trim().replaceAll(/\s+/g, ' ').replace(VARIABLES, ''));
}

function beginsWith(call: string, command: string): boolean {
  const wanted = command.replaceAll(/\s+/g, ' ').toLowerCase();
  return `${call.toLowerCase()} `.startsWith(`${wanted} `);
}

/** Two globs that could name the same file: by their fixed beginnings, or exactly where one of them is a path. */
function overlap(glob: string, other: string): boolean {
  if (!isGlob(other)) return matchesGlob(other, glob);
  if (!isGlob(glob)) return matchesGlob(glob, other);
  const [a, b] = [fixedPart(glob), fixedPart(other)];
  return a.startsWith(b) || b.startsWith(a);
}

function isGlob(text: string): boolean {
  return /[*?{]/.test(text) || text.endsWith('/');
}

function fixedPart(glob: string): string {
  const wild = glob.search(/[*?{]/);
  return wild === -1 ? glob : glob.slice(0, wild);
}

function hasAll(words: ReadonlySet<string>, phrase: string): boolean {
  const wanted = wordSet(phrase);
  return wanted.size > 0 && [...wanted].every((word) => words.has(word));
}

function namedPaths(task: string): string[] {
  const tokens = task.slice(0, MAX_TASK_CHARS).split(/[\s"'`,;()<>]+/);
  return tokens.filter((token) => /^[\w.@-][\w.@/-]*$/.test(token) && /\w[/.]\w/.test(token)).slice(0, 200);
}
