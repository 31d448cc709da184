/**
 * `staleCode`: what runs is not what was edited: outputs still show a line of the file that an edit replaced. `notBuilt`: an image is
 * started again and again, and no call built it after the edits.
 */
import type { RecordedTurn } from '../recorded-turn.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { editOf, linesOf } from '../../edit-target.ts';
import type { FindReason } from './find-reason.ts';

/** A shorter line may stand in any program. */
const TELLING_CHARS = 12;
/** An output that shows the old line once may have been made before. */
const SHOWN_AGAIN = 2;
/** What ran before them tells nothing about the end of a long record. */
const LATEST_RUNS = 200;
const SHOWS_FILES = /^\s*(?:git|diff|cat|sed|grep|rg|head|tail|less|awk)\b/;

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
    return {
      cause:
        `what runs is not what was edited: \`${callText(last)}\` still shows \`${quote(line)}\`, ` +
        `which was edited away in call ${turns.indexOf(turn) + 1}`,
      startHere:
        'Find what runs (an installed copy, a built output or image, an old process), make it anew (build, do not only start it again), ' +
        'and see the new line run before the next edit.',
    };
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

const STARTS_AGAIN = /\bdocker(?:[ -]compose)?(?: -\S+ \S+)* restart\b/;
const BUILDS = /\bbuild\b|\bup\b.*--force-recreate|\bcp\b/;
/** What a project mounts into its container, somebody has to have said. */
const MOUNTS = /^\s*(?:-\s+)?["']?\.{1,2}(?:\/[\w./-]*)?:\/\S/m;

export const notBuilt: FindReason = ({ turns, failure: { turn, last, count } }) => {
  const started = commandOf(turn.input);
  if (!STARTS_AGAIN.test(started) || turns.some(({ output }) => MOUNTS.test(output))) return null;
  const edit = turns.findLast((each) => each.edit !== null && changes(each) && each.step < last.callStep);
  const isBuilt = turns.some((each) => each.step > (edit?.step ?? 0) && BUILDS.test(commandOf(each.input)));
  if (edit === undefined || isBuilt) return null;
  return {
    cause:
      `\`${quote(started)}\` gave the same ${count} times: it starts the image as it was built, and no call built it after the edit of ` +
      `${edit.edit?.path} (call ${turns.indexOf(edit) + 1}); what runs may be the old code`,
    startHere:
      'Build the image and start that (`docker compose up -d --build`), see the new code run, and only then look at the answer again.',
  };
};
