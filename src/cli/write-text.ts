/** `writeText`, `textOut`, `laidOut`, `forTerminal`, `writeSaid`: text for people, broken at blanks on a terminal. */
import { wrapToWidth } from '../core/text/width.ts';
import { asTyped } from './as-typed.ts';
import { paint, type Tone, usesColour } from './render/colour.ts';

/** Standard output and standard error, or what stands for them in a test. */
export interface Out {
  write(text: string): boolean;
  readonly isTTY?: boolean;
  readonly columns?: number | undefined;
}

export function writeText(out: Out, text: string): void {
  out.write(laidOut(out, text.split('\n')).join('\n'));
}

export function writeSaid(out: Out, text: string): void {
  out.write(broken(out, text.split('\n')).join('\n'));
}

/** The same as a stream, for code that knows nothing of terminals. */
export function textOut(out: Out): { write(text: string): void } {
  return { write: (text) => writeText(out, text) };
}

export function laidOut(out: Out, lines: readonly string[]): readonly string[] {
  return broken(
    out,
    lines.map((line) => asTyped(line)),
  );
}

export function forTerminal(
  out: Out,
  env: NodeJS.ProcessEnv,
  lines: readonly string[],
  tone: Tone | null = null,
): string[] {
  return laidOut(out, lines).map((line) => paint(line, tone, usesColour(out, env)));
}

function broken(out: Out, lines: readonly string[]): readonly string[] {
  return out.isTTY === true
    ? lines.flatMap((line) => wrapToWidth(line, out.columns || 80, { keepsWords: true }))
    : lines;
}
