/** `print`: writes the answer of a command: with `--json` the document, otherwise the text. Returns the exit code of success. */
import type { Invocation } from './command.ts';

export function print({ json, stdout }: Invocation, document: unknown, text: string): number {
  stdout.write(json ? `${JSON.stringify(document)}\n` : text);
  return 0;
}
