/**
 * `reasonOfPlace`: what is told of a failure that repeats where nothing proves why: what failed and how often, what was changed
 * meanwhile, and what the record shows of it that no call followed up.
 */
import type { Diagnosis } from '../../../vocabulary/diagnosis.ts';
import { counted } from '../../../text/counted.ts';
import { callText, quote } from '../../detector.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { inRecord, otherResults, tellOthers } from '../other-results.ts';
import { editsFile, editsWithin, failsOtherwise } from '../repeated-turns.ts';
import { editedPaths, isSamePath } from '../side-effects.ts';
import type { FailureRecord, Reason } from './find-reason.ts';
import { innermostCause } from '../../deepest-line.ts';
import { TRACEBACK } from '../../error-line.ts';
import { explainedBy } from './explained.ts';
import { sinceGood } from './since-good.ts';
import { TEST_FILE } from './switched-off.ts';

const SOURCE = /\.(?:c|cc|cpp|h|hpp|py|[cm]?[jt]sx?|rb|go|java|kt|rs|cs|php|swift|scala|exs?)$/;

const SHOWN = 3;

/** `advice`: what the words of the error alone tell to do. */
export function reasonOfPlace(
  record: FailureRecord,
  diagnosis: Diagnosis,
  advice: string | null,
): Reason | null {
  const { turns, failure } = record;
  const { turn, first, last, count } = failure;
  const isBad = diagnosis.failureType !== 'success' || turn.sameResult !== null;
  if (count < 2 || !isBad || editsFile(turn)) return null;
  const edits = editsWithin(turns, first.step, last.callStep);
  const good = sinceGood(record);
  const explained = explainedBy(failure).map(quote);
  // Without a change in between nothing was tried against it: what the error says is all there is.
  if (edits.length === 0 && good === null && explained.length === 0) return null;
  const paths = editedPaths(edits);
  const named = `${paths.slice(0, SHOWN).join(', ')}${paths.length > SHOWN ? ' and others' : ''}`;
  const done = `${counted(edits.length, 'edit')}${paths.length === 0 ? '' : ` of ${named}`}`;
  const whole = inRecord(turns, failure);
  const others = otherResults(turns, whole);
  const changed = counted(editsWithin(turns, whole.first.step, whole.last.callStep).length, 'edit');
  const isMixed = edits.length > 0 && others.length > 0;
  const tried = isMixed
    ? `; with other results in between, after ${changed} (${tellOthers(others)})`
    : edits.length === 0
      ? ''
      : `, the same after ${done}`;
  const otherwise = failsOtherwise(failure) ? ', in another way each time, the most frequent' : '';
  const how = turn.sameResult === 'hidden' ? 'showed the same' : 'failed';
  const said = quote(innermostCause(turn.output) ?? turn.errorLine).replace(/\.+$/, '');
  const looks = [
    ...(explained.length === 0
      ? []
      : [
          `Begin with what it adds each time (${explained.at(-1)})` +
            `${edits.length === 0 ? '.' : ': the changes so far did not make it go away.'}`,
        ]),
    ...(advice === null ? [] : [advice]),
    ...(good === null ? [] : [`${good.look}.`]),
    ...placeTold(record, diagnosis),
  ];
  return {
    cause:
      `\`${callText(turn)}\` ${how} ${count} times${otherwise}: ${said}${tried}. ` +
      `${explained.length === 0 ? 'Why is not proven' : `It adds each time: ${explained.join(' · ')}`}` +
      `${good === null ? '' : `; what may tell it: ${good.told}`}`,
    startHere:
      advice !== null
        ? looks.join(' ')
        : [...(looks.length === 0 ? [OTHERWISE] : looks), `Then run \`${callText(turn)}\` once.`].join(' '),
  };
}

const OTHERWISE =
  'Print the wrong value where it first is made, before the next edit, and say what all edits so far took for granted.';

/** Where to look: the places of the project that the outputs name and no other call did, otherwise the place of the failure. */
function placeTold(record: FailureRecord, diagnosis: Diagnosis): readonly string[] {
  const { turns, failure } = record;
  const others = turns.filter((turn) => !failure.turns.includes(turn));
  const isOpened = (path: string) => others.some(({ given }) => given.includes(nameOf(path)));
  const [file, row] = placeOf(record, diagnosis);
  const named = [
    ...(file === '' ? [] : [[file, row] as const]),
    ...failure.turns.flatMap(({ output }) => placesIn(output)),
  ];
  const unopened = [...new Set(named.filter(([path]) => !isOpened(path)).map(placeText))].slice(0, PLACES);
  if (unopened.length > 0)
    return [`Open ${unopened.join(' and ')}, which the output names and no other call names.`];
  return file === ''
    ? []
    : [`Look at ${placeText([file, row])}: say what that line needs, and which other line has to give it.`];
}

const PLACES = 2;

function placeText([path, row]: readonly [path: string, row: number]): string {
  return row > 0 ? `${path}, line ${row}` : path;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The place of the failure; of calls that are listed from the inside out, the innermost of the project. */
function placeOf(
  { turns, failure: { turn } }: FailureRecord,
  { subject }: Diagnosis,
): readonly [file: string, row: number] {
  const [file, row] = [subject?.file ?? '', subject?.row ?? 0];
  const frames = placesIn(turn.output).filter(([path]) => isKnown(turns, path));
  // A library fails with what the project gave it: the frame of the project next to it.
  if (!isOfProject(turns, file) || (frames.length > 0 && !isKnown(turns, file)))
    return (turn.output.includes(TRACEBACK) ? frames.at(-1) : frames[0]) ?? ['', 0];
  const below = turn.output.slice(turn.output.indexOf(turn.errorLine));
  const places = placesIn(below);
  const own = places.findIndex(([path, at]) => at === row && isSamePath(path, file));
  const root = places[own]?.[0].slice(0, -file.length) ?? '';
  const [inner, at] = places.find(([path]) => path.startsWith(root) && path.includes('/')) ?? [file, row];
  return own <= 0 || turn.output.includes(TRACEBACK) ? [file, row] : [inner.slice(root.length), at];
}

/** The places of the project that an output names with a line. */
function placesIn(output: string): readonly (readonly [path: string, row: number])[] {
  const named = [
    ...output.matchAll(/(?<![\w./-])(\/?[\w@-][\w@./-]*\.[a-z]{1,4})(?::(?:line )?|", line )(\d+)/g),
  ];
  const places = named.map(([, path = '', row]) => [path, Number(row)] as const);
  return places.filter(([path]) => SOURCE.test(path) && !OUTSIDE.test(path) && !TEST_FILE.test(path));
}

/** The file of a library is named without its folder, and nothing in the record but the failure knows it. */
function isOfProject(turns: readonly RecordedTurn[], file: string): boolean {
  return file.includes('/') || TEST_FILE.test(file) || isKnown(turns, file);
}

function isKnown(turns: readonly RecordedTurn[], file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return turns.some(
    ({ failed, input, output }) => input.includes(name) || (!failed && output.includes(name)),
  );
}

const OUTSIDE = /(?:^|\/)(?:node_modules|site-packages|vendor|\.cargo|\.gradle|usr|lib\/python[\d.]+)\//;
