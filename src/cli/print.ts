/** `print`, `printJson`: write the answer of a command, with `--json` the document, otherwise the text. */
import { withReadableQuotes } from '../core/text/quote-fenced.ts';
import type { Invocation } from './command.ts';
import { type Out, writeText } from './write-text.ts';

export function print({ json, stdout }: Invocation, document: unknown, text: string): number {
  if (json) printJson(stdout, document);
  else writeText(stdout, text);
  return 0;
}

/** The record quotes programs and agents between marks, for agents that read it; here are quotation marks. */
export function printJson(stdout: Out, document: unknown): void {
  stdout.write(`${JSON.stringify(document, withReadableQuotes)}\n`);
}
