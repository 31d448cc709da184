/** `heldByOwn`: a port or a process that is in the way belongs to a call of this run that started it in the background. */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editsFile, type Repeated } from '../repeated-turns.ts';
import { sideEffects } from '../side-effects.ts';
import { errorSaid, type FindReason, thenRun } from './find-reason.ts';

const HELD = oneOf(
  /\bEADDRINUSE\b|\baddress already in use\b|\b(?:port|socket|address)\b.{0,60}\b(?:in use|taken|allocated|used)\b/i,
  /\balready (?:used|in use|running|listening)\b|\bused by another process\b|\banother (?:instance|process)\b|\block\b.{0,20}\bheld\b/i,
);
const ENDS = /\b(?:kill|pkill|killall|kill-port)\b|\bfuser -k\b/;
const PID = /(?:^\[\d+\] |\bpid\b\W{0,3})(\d{2,7})\b/im;
const PORT = /(?:(?<=:)|(?<=\bport[ =:]{1,2}))\d{4,5}\b/gi;

export const heldByOwn: FindReason = (record) => {
  const { turns, failure } = record;
  if (editsFile(failure.turn) || !HELD.test(failure.turn.output)) return null;
  const before = turns.filter(({ step }) => step < failure.last.callStep);
  const ended = before.findLastIndex(({ failed, input }) => !failed && ENDS.test(commandOf(input)));
  for (const starter of before.slice(ended + 1).toReversed()) {
    const [started] = sideEffects([starter]).filter(({ kind }) => kind === 'started');
    const held = started === undefined ? null : heldBy(failure, starter, started.what);
    if (started === undefined || held === null) continue;
    const [what, how] = held;
    return {
      cause:
        `\`${started.what}\`, which call ${turns.indexOf(starter) + 1} of this run started and no later call ended, ` +
        `names the same ${what}: ${errorSaid(record)}`,
      startHere: `End that process (\`${how}\`); ${thenRun(record)} If both have to run, let one of them use another.`,
    };
  }
  return null;
};

/** The port or the process that both name, and how to end it; null if there is none. */
function heldBy(
  { turn }: Repeated,
  { output }: RecordedTurn,
  started: string,
): readonly [what: string, how: string] | null {
  const names = (number: string) =>
    new RegExp(`\\b${number}\\b`).test(`${commandOf(turn.input)}\n${turn.output}`);
  const pid = PID.exec(output)?.[1];
  const port = `${started}\n${output}`.match(PORT)?.find(names);
  if (port !== undefined)
    return [`port, ${port}`, pid === undefined ? `fuser -k ${port}/tcp` : `kill ${pid}`];
  return pid !== undefined && names(pid) ? [`process, ${pid}`, `kill ${pid}`] : null;
}
