/** `heldByOwn`: what is locked or in use is held by a process that a call of this run started in the background and that nothing ended. */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editsFile } from '../repeated-turns.ts';
import { sideEffects } from '../side-effects.ts';
import { editedInVain, type FailureRecord, type FindReason, thenRun, errorSaid } from './find-reason.ts';

const HELD = oneOf(
  /\bEADDRINUSE\b|\baddress already in use\b|\b(?:port|socket|url|address)\b.{0,60}\b(?:in use|taken|allocated|used)\b/i,
  /\balready (?:used|in use|running|listening)\b|\bused by another process\b|\banother (?:instance|process)\b|\bresource busy\b/i,
  /\b(?:is|are) locked\b|\block\b.{0,20}\bheld\b|\b(?:get|set|take|acquire|obtain|waiting for)\b.{0,20}\block\b/i,
);
const ENDS = /\b(?:kill|pkill|killall|kill-port)\b|\bfuser -k\b/;
const PID = /(?:^\[\d+\] |\bpid\b\W{0,3})(\d{2,7})\b/im;
const PORT = /(?:(?<=:)|(?<=\bport[ =:]{1,2}))\d{4,5}\b/gi;
const FILE = /[\w@+-]+\.[a-z]\w{0,7}\b/gi;
const PROGRAM = /\.(?:py|[cm]?[jt]sx?|rb|go|rs|php|pl|sh|jar|log|html?)$/i;

export const heldByOwn: FindReason = (record) => {
  const { turns, failure } = record;
  const { turn, last } = failure;
  if (editsFile(turn) || !HELD.test(turn.output)) return null;
  const before = turns.filter(({ step }) => step < last.callStep);
  const lastEnd = before.findLast(({ failed, input }) => !failed && ENDS.test(commandOf(input)));
  for (const starter of before.toReversed()) {
    if (starter === lastEnd) return null;
    const [started] = sideEffects([starter]).filter(({ kind }) => kind === 'started');
    const held = started === undefined ? null : heldThing(record, starter, started.what);
    if (started === undefined || held === null) continue;
    const pid = PID.exec(starter.output)?.[1];
    const vain = editedInVain(record);
    const how =
      pid === undefined
        ? /^\d+$/.test(held)
          ? `\`fuser -k ${held}/tcp\``
          : `its number is in \`pgrep -af '${programOf(started.what)}'\`, and \`kill\` takes that`
        : `\`kill ${pid}\``;
    return [
      `${held} is held by \`${started.what}\`, which call ${turns.indexOf(starter) + 1} of this run started and nothing ended: ` +
        `${errorSaid(record)}${vain === '' ? '' : `; the edits of ${vain} cannot free it`}`,
      `End that process (${how}); ${thenRun(record)} If both have to run, let one of them use something else than ${held}.`,
    ];
  }
  return null;
};

/** What both the failure and the process have to do with; null if nothing shows that. */
function heldThing({ turns, failure }: FailureRecord, starter: RecordedTurn, what: string): string | null {
  const failing = `${commandOf(failure.turn.input)}\n${failure.turn.output}`;
  const own = `${what}\n${starter.output}`;
  const port = own.match(PORT)?.find((each) => new RegExp(`\\b${each}\\b`).test(failing));
  if (port !== undefined) return port;
  const texts = turns.flatMap((each) => {
    if (each === starter || (each.kind !== 'edit' && each.kind !== 'read')) return [];
    return [each.kind === 'edit' ? each.given : each.output];
  });
  const files = (own.match(FILE) ?? []).filter((each) => !PROGRAM.test(each));
  const file =
    files.find((each) => failing.includes(each)) ??
    files.find((each) => texts.some((text) => text.includes(each)));
  if (file !== undefined) return file;
  const pid = PID.exec(starter.output)?.[1];
  const isNamed = pid !== undefined && new RegExp(`\\b${pid}\\b`).test(failing);
  return isNamed || commandOf(failure.turn.input).includes(what.replace(/^nohup /, ''))
    ? 'what it needs'
    : null;
}

/** The script of a command line, otherwise its first word. */
function programOf(command: string): string {
  const words = command.replace(/^nohup /, '').split(/\s+/);
  return words.find((word) => PROGRAM.test(word)) ?? words[0] ?? '';
}
