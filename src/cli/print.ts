/** `print`: writes the answer of a command: with `--json` the document, otherwise the text. Returns the exit code of success. */
import type { Invocation } from './command.ts';
import { writeText } from './write-text.ts';

export function print({ json, stdout }: Invocation, document: unknown, text: string): number {
  if (json) stdout.write(`${JSON.stringify(document)}\n`);
  else writeText(stdout, text);
  return 0;
}
