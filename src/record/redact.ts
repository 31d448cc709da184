import { knownSecrets } from './known-secrets.ts';
import { findPrivateKeys } from './private-keys.ts';
import {
  CONTEXT_RULES,
  type Found,
  findAssignments,
  isSecretAssignment,
  SECRET_WORDS,
} from './secret-context.ts';
import { SECRET_RULES, type SecretRule } from './secret-rules.ts';

/**
 * Redaction, before anything is stored or hashed: the values that are known to be secret here, then shapes that are
 * secret anywhere. It leaves a marker that says what was there: `[redacted:github-token]`.
 */
export interface Redactor {
  redact(text: string): string;
  /** Every string inside a value; the key under which it stands may tell that it is a secret. */
  redactDeep<T>(value: T): T;
  /** The same for JSON text, which comes back byte for byte where nothing had to be hidden. */
  redactJson(text: string): string;
  /** The secrets in a text, in order, not overlapping. */
  find(text: string): readonly Found[];
}

const RULES: readonly SecretRule[] = [...SECRET_RULES, ...CONTEXT_RULES];
const KINDS = [...new Set([...RULES.map(({ name }) => name), 'known-secret', 'private-key', 'assignment'])];
const SUSPICIOUS = new RegExp(
  [...new Set(RULES.flatMap(({ hints }) => hints))]
    .map((hint) => hint.replaceAll('.', '\\.'))
    .concat(SECRET_WORDS)
    .join('|'),
  'gi',
);
/** Only markers that we could have written: anything else in brackets is text and is looked at. */
const MARKER = new RegExp(`\\[redacted:(?:${KINDS.join('|')})\\]`, 'g');
/** Replacing one secret can free the border of another; text that still changes after so many rounds does not exist. */
const MAX_ROUNDS = 6;
/** Deeper values are not ours. */
const MAX_DEPTH = 64;

export function createRedactor(
  known: {
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly values?: readonly string[];
  } = {},
): Redactor {
  const needles = knownSecrets(known.environment ?? {}, known.values ?? []);
  const find = (text: string): readonly Found[] => findSecrets(text, needles);
  const redact = (text: string): string => {
    let before = text;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const after = replaceSecrets(before, find(before));
      if (after === before) return after;
      before = after;
    }
    return before;
  };
  return {
    redact,
    find,
    redactDeep: (value) => deep(value, redact, MAX_DEPTH),
    redactJson: (text) => {
      const value = parsed(text);
      if (value === undefined) return redact(text);
      const clean = JSON.stringify(deep(value, redact, MAX_DEPTH));
      return clean === JSON.stringify(value) ? text : clean;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function replaceSecrets(text: string, found: readonly Found[]): string {
  if (found.length === 0) return text;
  let result = '';
  let end = 0;
  for (const secret of found) {
    result += `${text.slice(end, secret.start)}[redacted:${secret.name}]`;
    end = secret.end;
  }
  return result + text.slice(end);
}

function findSecrets(text: string, needles: readonly string[]): Found[] {
  const found: Found[] = [];
  let start = 0;
  // Markers are walls: what is already redacted stays, and nothing is read across it.
  if (text.includes('[redacted:'))
    for (const marker of text.matchAll(MARKER)) {
      findBetween(text.slice(start, marker.index), start, needles, found);
      start = marker.index + marker[0].length;
    }
  findBetween(start === 0 ? text : text.slice(start), start, needles, found);
  return merged(found);
}

function findBetween(text: string, offset: number, needles: readonly string[], into: Found[]): void {
  for (const needle of needles)
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length))
      into.push({ name: 'known-secret', start: offset + at, end: offset + at + needle.length });
  for (const { name, start, end } of findPrivateKeys(text))
    into.push({ name, start: offset + start, end: offset + end });
  // One quick look finds the few lines that are worth a closer one.
  for (let begin = 0; begin < text.length; ) {
    SUSPICIOUS.lastIndex = begin;
    const hit = SUSPICIOUS.exec(text);
    if (hit === null) return;
    const lineStart = Math.max(begin, text.lastIndexOf('\n', hit.index) + 1);
    const newLine = text.indexOf('\n', hit.index);
    const lineEnd = newLine === -1 ? text.length : newLine;
    findInLine(text.slice(lineStart, lineEnd), offset + lineStart, into);
    begin = lineEnd + 1;
  }
}

function findInLine(line: string, offset: number, into: Found[]): void {
  for (const rule of RULES) {
    if (!rule.hints.some((hint) => line.includes(hint))) continue;
    for (const match of line.matchAll(rule.pattern)) {
      const group = match.indices?.groups?.['secret'];
      const [start, end] = group ?? [match.index, match.index + match[0].length];
      if (rule.accepts?.(line.slice(start, end)) !== false)
        into.push({ name: rule.name, start: offset + start, end: offset + end });
    }
  }
  for (const { name, start, end } of findAssignments(line))
    into.push({ name, start: offset + start, end: offset + end });
}

/** Overlapping finds become one under the name of the first that was found; known values come first. */
function merged(found: readonly Found[]): Found[] {
  const result: Found[] = [];
  for (const next of found.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && next.start < last.end)
      result[result.length - 1] = { ...last, end: Math.max(last.end, next.end) };
    else result.push(next);
  }
  return result;
}

function deep<T>(value: T, redact: (text: string) => string, depth: number, key = ''): T {
  if (typeof value === 'string')
    return (isSecretAssignment(key, value, true) ? '[redacted:assignment]' : redact(value)) as T;
  if (value === null || typeof value !== 'object') return value;
  if (depth === 0) return '[too deep]' as T;
  if (Array.isArray(value)) return value.map((each: unknown) => deep(each, redact, depth - 1)) as T;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, deep(each, redact, depth - 1, name)]),
  ) as T;
}
