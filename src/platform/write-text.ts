/** `writeText`: writes a text for people: a terminal gets it broken at blanks, everything else as it is. `laidOut`: its lines. */
import { wrapToWidth } from '../core/text/width.ts';

/** Standard output and standard error, or what stands for them in a test. */
export type Out = NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };

export function writeText(out: Out, text: string): void {
  out.write(laidOut(out, text.split('\n')).join('\n'));
}

export function laidOut(out: Out, lines: readonly string[]): readonly string[] {
  return out.isTTY === true
    ? lines.flatMap((line) => wrapToWidth(line, out.columns || 80, { keepsWords: true }))
    : lines;
}
