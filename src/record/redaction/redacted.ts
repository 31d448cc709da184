/**
 * `Redacted<T>`: a value whose texts went through redaction. A statement of the store binds no other text, so that a writer
 * that forgets redaction does not compile. `madeHere`: marks what the store itself made.
 */
import type { Redactor } from './redact.ts';

declare const redacted: unique symbol;
export type RedactedText = string & { readonly [redacted]: true };

export type Redacted<T> = T extends string
  ? T & RedactedText
  : T extends readonly (infer Each)[]
    ? readonly Redacted<Each>[]
    : T extends object
      ? { readonly [K in keyof T]: Redacted<T[K]> }
      : T;

/** Texts that need no redaction come back byte for byte. */
export function redactedCopy<T>(value: T, redactor: () => Redactor): Redacted<T> {
  const copy = (each: unknown): unknown => {
    if (typeof each === 'string') return redactor().redactJson(each);
    if (Array.isArray(each)) return each.map(copy);
    if (each === null || typeof each !== 'object') return each;
    const copied: Record<string, unknown> = { ...each };
    for (const name of Object.keys(copied)) copied[name] = copy(copied[name]);
    return copied;
  };
  return copy(value) as Redacted<T>;
}

/** Text that the store itself made of redacted text, or read from its own tables: a hash, canonical JSON, a name. */
export function madeHere(text: string): RedactedText {
  return text as RedactedText;
}
