/**
 * `forTerminal`: lines as a terminal shows them: broken at blanks, with the tone of what they tell. Elsewhere they stay as they are.
 * `brokenText`: the same for a text.
 */
import type { Invocation } from '../command.ts';
import { paint, type Tone, usesColour } from './colour.ts';
import { wrapToWidth } from './width.ts';

/** Under the words of a line that begins with a time. */
const HANGING = 10;

export function forTerminal(
  out: NodeJS.WriteStream,
  env: NodeJS.ProcessEnv,
  lines: readonly string[],
  tone: Tone | null = null,
): string[] {
  const laid = out.isTTY ? lines.flatMap((line) => wrapToWidth(line, out.columns || 80, HANGING)) : lines;
  return laid.map((line) => paint(line, tone, usesColour(out, env)));
}

export function brokenText({ stdout, env }: Pick<Invocation, 'stdout' | 'env'>, text: string): string {
  return forTerminal(stdout, env, text.split('\n')).join('\n');
}
