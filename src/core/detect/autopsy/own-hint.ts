/** `ownHint`: what a program that fails again and again advises by itself; null if it advises nothing. */
import { oneOf } from '../../text/one-of.ts';
import { quote } from '../detector.ts';

const HINT = oneOf(
  /^\W{0,4}(?:hint|help|tip|suggestion|fix)\b ?: ?\S.{8,}$|^\S{1,160}:\d+: note: .{10,}$/i,
  /^.{0,160}\b(?:did you (?:mean|forget)|perhaps you meant|have you tried)\b.{3,}$/,
  /^.{0,160}\byou (?:may|might|probably|should) (?:want|need|have) to\b.{3,}$/,
  /^.{0,120}\b(?:please (?:run|use|install|set|add|remove|specify)|(?:try|consider) (?:run|us|add|install|sett)ing)\b.{0,160}$/,
);
const LINES = 400;

/** `outputs`: of the failing calls; the hint that most of them give. */
export function ownHint(outputs: readonly string[]): string | null {
  const hints = outputs.flatMap((output) => {
    const lines = output.slice(-20_000).split('\n').slice(-LINES);
    return [
      ...new Set(lines.map((line) => line.trim()).filter((line) => line.length < 300 && HINT.test(line))),
    ];
  });
  const groups = [...Map.groupBy(hints, (hint) => hint.replace(/\d+/g, '0'))];
  const [most] = groups.sort(([, a], [, b]) => b.length - a.length);
  return most === undefined || most[1].length * 3 < outputs.length ? null : quote(most[1][0] as string);
}
