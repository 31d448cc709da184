/** `explainedBy`: what a program that fails again and again adds to its error each time: why it fails, or what stands in the way. */
import { oneOf } from '../../../text/one-of.ts';
import { linesAlike } from '../same-lines.ts';
import type { Repeated } from '../repeated-turns.ts';

const EXPLAINS = oneOf(
  /^(?:= )?note: (?!.{0,120}(?:defined (?:in|here)|RUST_BACKTRACE|required (?:by|for)|run with|--explain))\S.{10,}$/i,
  /^(?:caused by|reason|detail|because)\s?: ?\S.{4,}$/i,
  /^[\w.-]{2,30}: [^:]{3,60} failed: \S.{4,}$/i,
  /^.{0,200}\b(?:intercepts|obscured by|covered by|blocked by|held by|locked by|shadowed by|overridden by|ignored because)\b.{0,120}$/i,
);
const MARKS = /^(?:E\s+)?(?:[-*=•]\s+)?(?:note: )?/;
const SHOWN = 2;

/** Empty if it explains nothing. */
export function explainedBy({ turns, turn }: Repeated): readonly string[] {
  const lines = linesAlike(turns).map((line) => line.replace(/^E\s+/, ''));
  const explaining = lines.filter((line) => EXPLAINS.test(line) && !line.includes(turn.errorLine));
  return explaining.slice(-SHOWN).map((line) => line.replace(MARKS, ''));
}
