/**
 * `createRedactor`: hides secrets before anything is stored or hashed: first the values that are known to be secret here, then shapes that
 * are secret anywhere. A marker says what was there: `[redacted:github-token]`.
 */
import { jsonOrNull } from '../../core/text/json.ts';
import { CONTEXT_RULES } from './context-rules.ts';
import { type DecodedView, decodedView, HIDING_ESCAPE } from './decoded-view.ts';
import { findTokens } from './find-tokens.ts';
import { knownSecrets } from './known-secrets.ts';
import { findPrivateKeys } from './private-keys.ts';
import {
  type FoundSecret,
  findAssignments,
  isSecretAssignment,
  isSecretName,
  SECRET_WORDS,
} from './secret-context.ts';
import { TOKEN_RULES } from './token-rules.ts';

export interface Redactor {
  redact(text: string): string;
  /** Every string inside a value; the key under which it stands may tell that it is a secret. */
  redactDeep<T>(value: T): T;
  /** The same for JSON text, which comes back byte for byte where nothing had to be hidden. */
  redactJson(text: string): string;
  /** The secrets in a text, in order, not overlapping. */
  find(text: string): readonly FoundSecret[];
}

const KINDS = [
  ...new Set([
    ...[...TOKEN_RULES, ...CONTEXT_RULES].map(({ name }) => name),
    'known-secret',
    'private-key',
    'assignment',
    'base64',
    'hex',
  ]),
];
/** Lines with escapes that are closer together than this are decoded at once. */
const NEAR_CHARS = 512;
/** Only markers that we could have written: anything else in brackets is text and is looked at. */
const MARKER = new RegExp(`\\[redacted:(?:${KINDS.join('|')})\\]`, 'g');
/** Replacing one secret can free the border of another; text that still changes after so many rounds does not exist. */
const MAX_ROUNDS = 6;
/** Mayday writes no deeper values. */
const MAX_DEPTH = 64;
/** Escaped text inside escaped text, and so on: deeper nesting is only seen where text is hidden on purpose. */
const MAX_DECODED = 4;
/** What a keeper stores is nearly the same turn after turn: texts up to this length are remembered, */
const REMEMBERED_CHARS = 4096;
/** as many as this in all. */
const MAX_REMEMBERED_CHARS = 256 * 1024;
/** Other text is not worth an attempt to read it as JSON, which fails with an error at the price of many looks. */
const MAY_BE_JSON = /^\s*[{["]/;

export function createRedactor(
  known: {
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly values?: readonly string[];
  } = {},
): Redactor {
  const needles = knownSecrets(known.environment ?? {}, known.values ?? []);
  const find = (text: string): readonly FoundSecret[] => findSecrets(text, needles);
  const redact = (text: string): string => {
    let before = text;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const after = replaceSecrets(before, find(before));
      if (after === before) return after;
      before = after;
    }
    return before;
  };
  const redactAgain = remembering(redact);
  return {
    redact,
    find,
    redactDeep: (value) => deep(value, redact, MAX_DEPTH),
    redactJson: (text) => {
      if (!MAY_BE_JSON.test(text)) return redactAgain(text);
      const value = jsonOrNull(text);
      if (value === null) return redactAgain(text);
      const clean = deep(value, redactAgain, MAX_DEPTH);
      return clean === value ? text : JSON.stringify(clean);
    },
  };
}

function remembering<Answer extends string | boolean>(
  ask: (text: string) => Answer,
): (text: string) => Answer {
  const known = new Map<string, Answer>();
  let chars = 0;
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (text.length > REMEMBERED_CHARS) return ask(text);
    chars += text.length;
    if (chars > MAX_REMEMBERED_CHARS) {
      known.clear();
      chars = text.length;
    }
    // A copy: a piece of a longer text would keep all of that in memory.
    const own = JSON.parse(JSON.stringify(text)) as string;
    const answer = ask(own);
    known.set(own, answer);
    return answer;
  };
}

export function replaceSecrets(text: string, found: readonly FoundSecret[]): string {
  if (found.length === 0) return text;
  let result = '';
  let end = 0;
  for (const secret of found) {
    result += `${text.slice(end, secret.start)}[redacted:${secret.name}]`;
    end = secret.end;
  }
  return result + text.slice(end);
}

function findSecrets(text: string, needles: readonly string[]): FoundSecret[] {
  const found: FoundSecret[] = [];
  let start = 0;
  // A marker stays as it is, and no secret is searched across it.
  if (text.includes('[redacted:'))
    for (const marker of text.matchAll(MARKER)) {
      findBetween(text.slice(start, marker.index), start, needles, found);
      start = marker.index + marker[0].length;
    }
  findBetween(start === 0 ? text : text.slice(start), start, needles, found);
  return merged(found);
}

function findBetween(text: string, offset: number, needles: readonly string[], into: FoundSecret[]): void {
  for (const { name, start, end } of findIn(text, needles, MAX_DECODED))
    into.push({ name, start: offset + start, end: offset + end });
}

/** `decodings`: how often what is found may still be decoded. */
function findIn(text: string, needles: readonly string[], decodings: number): FoundSecret[] {
  const found: FoundSecret[] = [];
  for (const needle of needles)
    for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length))
      found.push({ name: 'known-secret', start: at, end: at + needle.length });
  found.push(...findPrivateKeys(text));
  found.push(
    ...findTokens(text, (decoded) => decodings > 0 && findIn(decoded, needles, decodings - 1).length > 0),
  );
  // One cheap pattern finds the few lines that the expensive ones must read.
  for (const [start, end] of linesWith(SUSPICIOUS, text, 0)) {
    const line = text.slice(start, end);
    findInLine(line, start, found);
    if (decodings > 0 && line.includes('\\')) findDecoded(line, start, needles, decodings, found);
  }
  if (decodings > 0)
    for (const [start, end] of linesWith(HIDING_ESCAPE, text, NEAR_CHARS))
      findDecoded(text.slice(start, end), start, needles, decodings, found);
  return found;
}

/** All words that stand near a secret; in order, so that the engine tries those with the same beginning together. */
export const SUSPICIOUS = new RegExp(
  [...new Set([...SECRET_WORDS, ...CONTEXT_RULES.flatMap(({ hints }) => hints)])]
    .filter((word, _, all) => !all.some((other) => other !== word && word.includes(other)))
    .toSorted()
    .map((word) => word.replaceAll(/[.*]/g, '\\$&'))
    .join('|'),
  'gi',
);

/** Where the lines are in which the pattern occurs; those that are at most `near` characters apart as one. */
function linesWith(pattern: RegExp, text: string, near: number): [start: number, end: number][] {
  const places: [number, number][] = [];
  for (let begin = 0; begin < text.length; ) {
    pattern.lastIndex = begin;
    const hit = pattern.exec(text);
    if (hit === null) break;
    const start = Math.max(begin, text.lastIndexOf('\n', hit.index) + 1);
    const newLine = text.indexOf('\n', hit.index);
    const end = newLine === -1 ? text.length : newLine;
    const last = places.at(-1);
    if (last !== undefined && near > 0 && start - last[1] <= near) last[1] = end;
    else places.push([start, end]);
    begin = end + 1;
  }
  return places;
}

function findDecoded(
  line: string,
  offset: number,
  needles: readonly string[],
  decodings: number,
  into: FoundSecret[],
): void {
  const view: DecodedView | null = decodedView(line);
  if (view === null) return;
  for (const { name, start, end } of findIn(view.text, needles, decodings - 1)) {
    const [from, to] = view.place(start, end);
    into.push({ name, start: offset + from, end: offset + to });
  }
}

function findInLine(line: string, offset: number, into: FoundSecret[]): void {
  const small = line.toLowerCase();
  for (const rule of CONTEXT_RULES) {
    if (!rule.hints.some((hint) => small.includes(hint))) continue;
    for (const { indices } of line.matchAll(rule.pattern)) {
      const { secret, double, single } = indices?.groups ?? {};
      const [start, end] = (secret ?? double ?? single) as [number, number];
      if (rule.accepts?.(line.slice(start, end)) !== false)
        into.push({ name: rule.name, start: offset + start, end: offset + end });
    }
  }
  for (const { name, start, end } of findAssignments(line))
    into.push({ name, start: offset + start, end: offset + end });
}

/** Overlapping finds become one under the name of the first that was found; known values come first. */
function merged(found: readonly FoundSecret[]): FoundSecret[] {
  const result: FoundSecret[] = [];
  for (const next of found.toSorted((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last !== undefined && next.start < last.end)
      result[result.length - 1] = { ...last, end: Math.max(last.end, next.end) };
    else result.push(next);
  }
  return result;
}

/** The value itself where nothing had to be hidden. */
function deep<T>(value: T, redact: (text: string) => string, depth: number, key = ''): T {
  if (typeof value === 'string')
    return (isSecretUnder(key, value) ? '[redacted:assignment]' : redact(value)) as T;
  if (value === null || typeof value !== 'object') return value;
  if (depth === 0) return '[too deep]' as T;
  if (Array.isArray(value)) {
    const clean = value.map((each: unknown, index) =>
      // The words of a command: `["--password", "..."]`. The values of a header: `{"cookie": ["..."]}`.
      deep(each, redact, depth - 1, flagBefore(value, index) ?? key),
    );
    return clean.every((each, index) => each === value[index]) ? value : (clean as T);
  }
  const named = nameInside(value);
  const names = Object.keys(value) as (keyof T & string)[];
  let changed: [string, unknown][] | null = null;
  for (const [index, name] of names.entries()) {
    const each = value[name];
    const inside = deep(each, redact, depth - 1, name === 'value' && named !== null ? named : name);
    const cleanName = redact(name);
    if (inside !== each || cleanName !== name)
      changed ??= names.slice(0, index).map((before) => [before, value[before]]);
    changed?.push([cleanName, inside]);
  }
  return changed === null ? value : (Object.fromEntries(changed) as T);
}

/** Headers whose whole value is a secret. */
const SECRET_HEADER = /^(?:(?:proxy-)?authorization|(?:set-)?cookie)$/i;

function isSecretUnder(key: string, value: string): boolean {
  if (key === '') return false;
  if (SECRET_HEADER.test(key)) return /[=\s]|^.{16,}$/.test(value) && /[\w=]{6}/.test(value);
  return isSecretAssignment(key, value, true);
}

function flagBefore(words: readonly unknown[], index: number): string | null {
  const before = words[index - 1];
  return typeof before === 'string' &&
    /^--?[A-Za-z][\w-]{2,60}$/.test(before) &&
    isSecretName(before.replace(/^-+/, ''))
    ? before.replace(/^-+/, '')
    : null;
}

/** `{"name": "API_TOKEN", "value": "..."}`, as environments are written. */
function nameInside(value: object): string | null {
  const { name, key } = value as { readonly name?: unknown; readonly key?: unknown };
  const named = name ?? key;
  return typeof named === 'string' && isSecretName(named) ? named : null;
}
