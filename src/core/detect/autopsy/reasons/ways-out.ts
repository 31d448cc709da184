/**
 * `waysTried`: what a run did to get what its machine lacks, and how each way failed. `unreachable`: a server that nothing starts.
 * `endedServer`: one that does not stay up.
 */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
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

/** The log of a program, not the history of a repository. */
const READS_LOG = /(?<!\bgit(?: -\S{1,40}){0,3} )\b(?:logs?|journalctl)\b|\.log\b|\.out\b/;
const LOGGED = oneOf(
  /\bcaused by: (\S.*)$/gim,
  /\b(?:ERROR|FATAL|CRITICAL|PANIC)\b[\s:|\]-]+(\S.*)$/gim,
  /^(?:\S+\s+\| )?((?:\w+\.)*\w*(?:Error|Exception): \S.*)$/gim,
);

/** The name that `docker compose logs` puts before each line. */
const OF_SERVICE = /^[\w.-]+\s+\| /;
const FRAME = /^(?:at |\.\.\. \d+ more|File "|\d{4}-\d\d-\d\d|\w+:$)/;

/** Nothing listens, and a log that the run read says why the server ended. */
export const endedServer: FindReason = ({ turns, failure: { turn, count } }) => {
  if (!isUnreachable(turn)) return null;
  const log = turns.findLast(
    (each) => each.edit === null && READS_LOG.test(commandOf(each.input)) && loggedIn(each) !== null,
  );
  if (log === undefined) return null;
  const said = loggedIn(log) ?? '';
  return {
    cause:
      `nothing answers there, in ${count} calls (${quote(turn.errorLine)}): the server may not stay up. Its log, in call ` +
      `${turns.indexOf(log) + 1} (\`${callText(log)}\`), says: ${quote(said)}`,
    startHere:
      `Mend what the log says (${quote(said)}), start the server once, and only then ask it again: ` +
      'to wait or to start it again does not help.',
  };
};

/** The innermost cause stands last. */
function loggedIn({ output }: RecordedTurn): string | null {
  const last = [...output.matchAll(LOGGED)].at(-1);
  if (last === undefined) return null;
  const below =
    output
      .slice(last.index + last[0].length)
      .split('\n')[1]
      ?.replace(OF_SERVICE, '')
      .trim() ?? '';
  const more = below === '' || FRAME.test(below) ? '' : ` ${below}`;
  return `${last.slice(1).find(Boolean)}${more}`;
}

/** Nothing listens, and each way to start it failed. */
export const unreachable: FindReason = ({ turns, failure: { turn, first, count } }) => {
  const ways = waysTried(turns, first.step);
  if (!isUnreachable(turn) || ways.length === 0) return null;
  const [, way] = /^`([^`]+)`/.exec(ways[0] ?? '') ?? [];
  return {
    cause: `nothing answers there, in ${count} calls (${quote(turn.errorLine)}), and the run cannot start it: ${ways.join('; ')}`,
    startHere:
      `A person has to start it here (\`${way}\`): the run may not. Other addresses and settings do not help; take back what was ` +
      `changed for them, and say that \`${callText(turn)}\` never ran.`,
    failureClass: 'environment',
  };
};
