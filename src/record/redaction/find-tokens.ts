/**
 * `findTokens`: tokens of the table in a text, also where they are glued to a word or written in base64. It looks only at long runs of the
 * characters that tokens are made of. Time is in proportion to the text: a prefix that fails has read no more than the shortest body, or is
 * not tried again within the part that was read.
 */
import { base64Pieces } from './base64-text.ts';
import type { FoundSecret } from './secret-context.ts';
import { TOKEN_RULES, type TokenBody, type TokenRule } from './token-rules.ts';

/** What a token or base64 may contain: shorter than any token, longer than most words. */
const RUN = /[\w.+/~-]{16}/g;
/** Where a run ends is looked for apart: a repetition without a limit takes stack for each character, and a run may have millions. */
const BORDER = /[^\w.+/~-]/g;
const BODIES: Readonly<Record<TokenBody, RegExp>> = {
  letters: /[A-Za-z0-9]*/y,
  hex: /[a-fA-F0-9]*/y,
  capitals: /[A-Z0-9]{0,80}/y,
  word: /[\w-]*/y,
  dotted: /[\w-]*(?:\.[\w-]+)*/y,
  base64: /[\w+/.-]*={0,2}/y,
  // Three parts; the second is JSON again.
  jwt: /[\w-]{8,}\.eyJ[\w-]{8,}(?:\.[\w-]*)?/y,
};
/** Printable characters only; sixteen bytes of a hash are hardly ever that. */
const HEX_TEXT = /(?<![0-9a-fA-F])(?:[2-6][0-9a-fA-F]|7[0-9a-eA-E]){16,}/g;
const MIN_GLUED_HEX = 32;
/** No word ends like this. */
const TELLING_PREFIX_CHARS = 12;

const BY_PREFIX = new Map(
  TOKEN_RULES.flatMap((rule) => rule.prefixes.map((prefix) => [prefix, rule] as const)),
);
/** A longer prefix stands before a shorter one that it begins with. */
const PREFIX = new RegExp(
  [...BY_PREFIX.keys()]
    .toSorted()
    .toReversed()
    .map((prefix) => prefix.replaceAll('.', '\\.'))
    .join('|'),
  'g',
);

/** `hidesSecret` says whether the text that a run of base64 stands for has a secret in it. */
export function findTokens(text: string, hidesSecret: (decoded: string) => boolean): FoundSecret[] {
  const found: FoundSecret[] = [];
  RUN.lastIndex = 0;
  for (let run = RUN.exec(text); run !== null; run = RUN.exec(text)) {
    BORDER.lastIndex = run.index;
    const end = BORDER.exec(text)?.index ?? text.length;
    findInRun(text, run.index, end, hidesSecret, found);
    // What a run hides is looked through with the same patterns.
    RUN.lastIndex = end;
  }
  return found;
}

function findInRun(
  text: string,
  from: number,
  to: number,
  hidesSecret: (decoded: string) => boolean,
  into: FoundSecret[],
): void {
  const run = text.slice(from, to);
  findPrefixed(text, run, from, into);
  // The letter of an escaped line end is no part of what follows.
  const first = text[from - 1] === '\\' ? from + 1 : from;
  for (const { start, end, decoded } of base64Pieces(text.slice(first, to)))
    if (hidesSecret(decoded)) into.push({ name: 'base64', start: first + start, end: first + end });
  for (const { index, 0: digits } of text.slice(first, to).matchAll(HEX_TEXT))
    if (hidesSecret(Buffer.from(digits, 'hex').toString('latin1')))
      into.push({ name: 'hex', start: first + index, end: first + index + digits.length });
}

function findPrefixed(text: string, run: string, offset: number, into: FoundSecret[]): void {
  /** Per rule: up to where it was read without success. */
  const read = new Map<TokenRule, number>();
  PREFIX.lastIndex = 0;
  for (let hit = PREFIX.exec(run); hit !== null; hit = PREFIX.exec(run)) {
    const start = offset + hit.index;
    const rule = BY_PREFIX.get(hit[0]) as TokenRule;
    PREFIX.lastIndex = hit.index + 1;
    if (start < (read.get(rule) ?? 0)) continue;
    const bodyStart = start + hit[0].length;
    const bodyEnd = endOf(BODIES[rule.body], text, bodyStart);
    const chars = bodyEnd - bodyStart;
    if (chars < rule.min) {
      if (rule.body === 'jwt') read.set(rule, endOf(BODIES.word, text, bodyStart));
    } else if (chars <= (rule.max ?? chars)) {
      const body = text.slice(bodyStart, bodyEnd);
      if (rule.random === true && !looksRandom(body)) read.set(rule, bodyEnd);
      else if (isBorder(text, start) || (rule.startsWord !== true && mayBeGlued(rule, hit[0], body))) {
        into.push({ name: rule.name, start, end: bodyEnd });
        PREFIX.lastIndex = bodyEnd - offset;
      } else read.set(rule, bodyEnd);
    }
  }
}

function endOf(body: RegExp, text: string, from: number): number {
  body.lastIndex = from;
  return body.test(text) ? body.lastIndex : from;
}

/** Random keys mix digits with letters of both cases; CSS classes and slugs that look alike do not. */
function looksRandom(text: string): boolean {
  return /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text);
}

/** Not in the middle of a word; an escaped line end (`\n` inside JSON text) counts as a border. */
function isBorder(text: string, at: number): boolean {
  if (at === 0 || !/[\w-]/.test(text[at - 1] as string)) return true;
  return /[nrt]/.test(text[at - 1] as string) && text[at - 2] === '\\';
}

function mayBeGlued({ body, max }: TokenRule, prefix: string, text: string): boolean {
  return (
    prefix.length >= TELLING_PREFIX_CHARS ||
    looksRandom(text) ||
    max === text.length ||
    (body === 'hex' && text.length >= MIN_GLUED_HEX)
  );
}
