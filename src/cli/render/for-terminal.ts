/** `forTerminal`: lines as a terminal shows them: broken at its width, in the colour of `tone`. In a file they stay as they are. */
import { laidOut, type Out } from '../write-text.ts';
import { paint, type Tone, usesColour } from './colour.ts';

export function forTerminal(
  out: Out,
  env: NodeJS.ProcessEnv,
  lines: readonly string[],
  tone: Tone | null = null,
): string[] {
  return laidOut(out, lines).map((line) => paint(line, tone, usesColour(out, env)));
}
