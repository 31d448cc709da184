/** `swapped`: two failures of one check take turns, with edits in between. */
import type { RecordedTurn } from '../recorded-turn.ts';
import { commandOf } from '../../call-kind.ts';
import { askedProgram, checkOf } from '../../check-mark.ts';
import { quote } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import { changes } from '../../staleness.ts';
import type { FailureRecord, FindReason } from './find-reason.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedPath } from '../side-effects.ts';

/** More failures than these are no round. */
const STATES = 5;
/** So often one of two failures followed the other. */
const SWAPS = 3;

interface Turns {
  /** The runs of the check with either failure. */
  readonly often: readonly (readonly RecordedTurn[])[];
  readonly edits: readonly RecordedTurn[];
}

function takeTurns({ turns, failure }: FailureRecord): Turns | null {
  const check = checkOf(failure.turn);
  if (check === 0 || editsFile(failure.turn)) return null;
  const program = askedProgram(failure.turn.input);
  // The check may also run behind another command.
  const runs = turns.filter(
    (turn) => turn.failed && (checkOf(turn) === check || commandOf(turn.input).endsWith(` ${program}`)),
  );
  const often = [...Map.groupBy(runs, ({ error }) => error).values()].filter(({ length }) => length > 1);
  if (often.length < 2 || often.length > STATES || often.flat().length * 5 < runs.length * 4) return null;
  const edits = turns.filter((turn) => changes(turn) && turn.step > (runs[0]?.step ?? 0));
  const swaps = runs.filter((turn, at) => at > 0 && turn.error !== runs[at - 1]?.error).length;
  const lines = often.map(([turn]) => turn?.errorLine ?? '');
  // A runner says the same again in its summary, and one failure may name another thing each time.
  const isSame = lines.some((line, at) =>
    lines.some(
      (other, place) =>
        place !== at && (nameless(other) === nameless(line) || other.includes(line.replace(/^E +/, ''))),
    ),
  );
  return edits.length < SWAPS || swaps < SWAPS || isSame ? null : { often, edits };
}

export const swapped: FindReason = (record) => {
  const found = takeTurns(record);
  if (found === null) return null;
  const { often, edits } = found;
  const check = checkOf(record.failure.turn);
  const flips = often.map((group) => {
    // What ran before the check in the same command may have changed the file.
    const plain = group.findLast((turn) => checkOf(turn) === check);
    const edit = edits.findLast((turn) => turn.edit !== null && turn.step < (plain?.callStep ?? 0));
    const written = editOf(edit?.given ?? '')?.to ?? '';
    return written === '' ? '' : ` (after \`${quote(written)}\`)`;
  });
  const paths = [...new Set(edits.flatMap((turn) => editedPath(turn) ?? []))];
  const where =
    paths.length === 1
      ? ` Both go through ${paths[0]}: let what they share take what differs (a parameter, a case).`
      : '';
  const lines = often.map(([turn], at) => `${quote(turn?.errorLine ?? '')}${flips[at] ?? ''}`);
  return {
    cause:
      `${often.length === 2 ? 'two' : often.length} failures take turns, ${often.map(({ length }) => length).join(' and ')} times: ` +
      `what was edited for one brings ${often.length === 2 ? 'the other' : 'another'}: ${lines.join(' · ')}`,
    startHere:
      'Neither edit is enough, and going back and forth does not help. Read what both failures ask for, and make one edit that satisfies ' +
      `both.${where} If they ask for opposites of the same thing, ask.`,
  };
};

function nameless(line: string): string {
  return line.replace(/(['"`‘])[^'"`’\n]{1,120}['"`’]/g, '').replace(/\s+/g, ' ');
}
