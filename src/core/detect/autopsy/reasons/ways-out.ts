/** `waysTried`: what a run did to get what its machine lacks, and how each way failed. `unreachable`: a server that nothing starts. */
import type { RecordedTurn } from '../recorded-turn.ts';
import { callText, quote } from '../../detector.ts';
import type { FindReason } from './find-reason.ts';
import { isUnreachable, isWay } from '../unreachable-server.ts';

/** A program that says so did not start, whatever its exit code is. */
const BARRED =
  /^.*\b(?:root privileges|are you root|password is required|permission denied|operation not permitted|docker daemon running)\b.*$/im;
const SHOWN = 4;

/** Each way once, in the words of its failure. */
export function waysTried(turns: readonly RecordedTurn[], since: number): readonly string[] {
  const ways = turns.flatMap((turn) => {
    const barred = BARRED.exec(turn.output)?.[0];
    return turn.step > since && isWay(turn) && (turn.failed || barred !== undefined)
      ? [`\`${callText(turn)}\` failed: ${quote(barred ?? turn.errorLine)}`]
      : [];
  });
  return [...new Set(ways)].slice(0, SHOWN);
}

/** Nothing listens, and each way to start it failed. */
export const unreachable: FindReason = ({ turns, failure: { turn, first, count } }) => {
  const ways = waysTried(turns, first.step);
  if (!isUnreachable(turn) || ways.length === 0) return null;
  const [, way] = /^`([^`]+)`/.exec(ways[0] ?? '') ?? [];
  return [
    `nothing answers there, in ${count} calls (${quote(turn.errorLine)}), and the run cannot start it: ${ways.join('; ')}`,
    `A person has to start it here (\`${way}\`): the run may not. Other addresses and settings do not help; take back what was ` +
      `changed for them, and say that \`${callText(turn)}\` never ran.`,
    'environment',
  ];
};
