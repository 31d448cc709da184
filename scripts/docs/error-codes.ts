/** Every error Mayday can print, read from the source where it is thrown: what it says, what was done, what to do. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { notes } from './error-notes.ts';

export interface ErrorPage {
  readonly code: string;
  readonly exitCode: 1 | 2;
  readonly says: readonly string[];
  /** Label and text, as they are printed below the message. */
  readonly advice: readonly (readonly [label: string, text: string])[];
  readonly files: readonly string[];
}

const THROWN =
  /\b(MaydayError|RecordUnavailable|CommitUnknown|usageError)\(\s*'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g;
const LITERAL = /'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|"(?:[^"\\]|\\.)*"/;
const PAIR = new RegExp(`\\[\\s*'([^']{1,40})',\\s*(${LITERAL.source})`, 'g');

export function errorPages(root: string): readonly ErrorPage[] {
  const pages = new Map<string, ErrorPage>();
  for (const file of globSync('src/**/*.ts', { cwd: root }).toSorted()) {
    const source = readFileSync(join(root, file), 'utf8');
    for (const match of source.matchAll(THROWN)) {
      const [start, how, code = ''] = match;
      const call = balanced(source, match.index + (how ?? '').length);
      add(pages, {
        code,
        exitCode: how === 'usageError' || /exitCode: 2/.test(call) ? 2 : 1,
        says: messageOf(call, start.length - (how ?? '').length),
        advice: [...call.matchAll(PAIR)].map(
          ([, label = '', text = '']) => [label, plainText(text)] as const,
        ),
        files: [file],
      });
    }
  }
  for (const note of notes) add(pages, note);
  return [...pages.values()].toSorted((a, b) => (a.code < b.code ? -1 : 1));
}

function add(pages: Map<string, ErrorPage>, page: ErrorPage): void {
  const known = pages.get(page.code);
  pages.set(page.code, {
    code: page.code,
    exitCode: known?.exitCode ?? page.exitCode,
    says: [...new Set([...(known?.says ?? []), ...page.says])],
    advice: unique([...(known?.advice ?? []), ...page.advice]),
    files: [...new Set([...(known?.files ?? []), ...page.files])],
  });
}

function unique(pairs: ErrorPage['advice']): ErrorPage['advice'] {
  return [...new Map(pairs.map((pair) => [pair.join('\0'), pair])).values()];
}

/** The message is the argument after the code, where it is written out there. */
function messageOf(call: string, from: number): readonly string[] {
  const rest = call.slice(from).replace(/^\s*,\s*/, '');
  const literal = new RegExp(`^(?:${LITERAL.source})`).exec(rest)?.[0];
  return literal === undefined ? [] : [plainText(literal)];
}

function plainText(literal: string): string {
  return literal
    .slice(1, -1)
    .replaceAll(/\$\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/g, '…')
    .replaceAll(/\\(.)/g, '$1');
}

/** From an opening bracket to its closing one; strings may hold brackets. */
function balanced(source: string, open: number): string {
  let depth = 0;
  for (let at = open; at < source.length; at += 1) {
    const char = source[at] as string;
    if (char === "'" || char === '"' || char === '`') {
      at = endOfString(source, at);
      continue;
    }
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (depth === 0) return source.slice(open, at + 1);
  }
  return source.slice(open);
}

function endOfString(source: string, open: number): number {
  for (let at = open + 1; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1;
    else if (source[at] === source[open]) return at;
  }
  return source.length;
}
