/** `staleCode`: what runs is not what was edited: the output still shows a line that an edit replaced, or never what an edit prints. */
import type { RecordedTurn } from '../recorded-turn.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { editOf, linesOf } from '../../edit-target.ts';
import type { FindReason } from './find-reason.ts';
import { mostFrequent } from '../repeated-turns.ts';

/** A shorter line may stand in any program. */
const TELLING_CHARS = 12;
/** An output that shows the old line once may have been made before. */
const SHOWN_AGAIN = 2;
/** What ran before them tells nothing about the end of a long record. */
const LATEST_RUNS = 200;
const SHOWS_FILES = /^\s*(?:git|diff|cat|sed|grep|rg|head|tail|less|awk)\b/;
const PRINTS = /\b(?:print\w*|puts|echo|log|debug|info|warn|error)\b\W{1,3}["'`]([\w :.>=-]{3,40})/i;

export const staleCode: FindReason = ({ turns }) => {
  const runs = turns.filter(isRun).slice(-LATEST_RUNS);
  for (const turn of turns.filter((each) => changes(each) && each.edit !== null)) {
    const line = replacedLine(turn);
    if (line === null) continue;
    const name = turn.edit?.path.replace(/^.*\//, '') ?? '';
    const showing = runs.filter(
      ({ callStep, output }) =>
        callStep > turn.step && output.includes(name) && showsLineOf(output, name, line),
    );
    const last = showing.at(-1);
    if (last === undefined || showing.length < SHOWN_AGAIN) continue;
    if (turns.some((each) => each.step > turn.step && each.step < last.callStep && mayPutBack(each, line)))
      continue;
    const said = `\`${callText(last)}\` still shows \`${quote(line)}\`, which was edited away in call ${turns.indexOf(turn) + 1}`;
    const printed = neverPrinted(turns, last);
    const never = printed === null ? '' : `, and never "${printed}", which an edit prints`;
    const [service] = mostFrequent(turns.flatMap(({ input }) => SERVICE.exec(commandOf(input))?.[1] ?? []));
    const isBuilt = turns.some(({ step, input }) => step > turn.step && /\bbuild\b/.test(commandOf(input)));
    if (service === null || isBuilt)
      return [
        `what runs is not what was edited: ${said}${never}`,
        'Find what runs (an installed copy, a built output, an old process), make it anew, and see the new line run before the next edit.',
      ];
    return [
      `the container runs the code that is in its image, and nothing built the image since: ${said}${never}`,
      `Build the image: \`docker compose up -d --build ${service}\`; to start it again does not do that. ` +
        'See the new code run, then take back the edits that were made in vain.',
    ];
  }
  return null;
};

const PLACE = /([\w.@+-]+\.\w{1,5})(?:", line |[:(])\d+/;

/** The line stands in the output, and the place above it is none of another file. */
function showsLineOf(output: string, name: string, line: string): boolean {
  const lines = output.split('\n');
  return lines.some((shown, at) => {
    const place = PLACE.exec(lines[at - 1] ?? '')?.[1] ?? name;
    return shown.trimEnd().endsWith(line) && place === name;
  });
}

const SERVICE = /\bdocker[ -]compose (?:restart|up|start|logs)(?:\s+-\S+)*\s+([a-z][\w-]*)/;

function isRun({ kind, waiting, input }: RecordedTurn): boolean {
  return (kind === 'run' || kind === 'test' || waiting !== null) && !SHOWS_FILES.test(commandOf(input));
}

/** The longest line that an edit takes away. */
function replacedLine({ given }: RecordedTurn): string | null {
  const { from, to } = editOf(given) ?? {};
  const kept = linesOf(to ?? '').map((line) => line.trim());
  const gone = linesOf(from ?? '')
    .map((line) => line.trim())
    .filter((line) => line.length >= TELLING_CHARS && !kept.includes(line));
  return gone.toSorted((a, b) => b.length - a.length)[0] ?? null;
}

function mayPutBack(turn: RecordedTurn, line: string): boolean {
  if (turn.edit === null) return turn.mayChangeResults && turn.kind !== 'move';
  const { to } = editOf(turn.given) ?? {};
  return changes(turn) && linesOf(to ?? '').some((each) => each.trim().endsWith(line));
}

/** The words that an edit lets the program print and that no later output has. */
function neverPrinted(turns: readonly RecordedTurn[], last: RecordedTurn): string | null {
  const words = turns.flatMap((turn) => {
    const found = changes(turn) && turn.step < last.step ? PRINTS.exec(editOf(turn.given)?.to ?? '') : null;
    const later = turns.filter((each) => each.step > turn.step && isRun(each));
    const said = found?.[1] ?? '';
    return said !== '' && !later.some((each) => each.output.includes(said)) ? [said] : [];
  });
  return words.at(-1) ?? null;
}
