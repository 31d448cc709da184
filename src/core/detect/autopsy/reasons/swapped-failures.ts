/**
 * `swapped`: two failures of one check take turns: each edit mends one and brings the other back. `twoForms`: both are one failure,
 * met from two sides.
 */
import type { RecordedTurn } from '../recorded-turn.ts';
import { commandOf } from '../../call-kind.ts';
import { askedProgram, checkOf } from '../../check-mark.ts';
import { quote } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import { changes } from '../../staleness.ts';
import type { FailureRecord, FindReason, Reason } from './find-reason.ts';
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
  // A runner says the same again in its summary.
  const isSame = lines.some((line, at) =>
    lines.some((other, place) => place !== at && other.includes(line.replace(/^E +/, ''))),
  );
  return edits.length < SWAPS || swaps < SWAPS || isSame ? null : { often, edits };
}

export const twoForms: FindReason = (record) => {
  const found = takeTurns(record);
  return found === null || found.often.length > 2
    ? null
    : oneOfBoth(found.often.map(([turn]) => turn as RecordedTurn));
};

export const swapped: FindReason = (record) => {
  const found = takeTurns(record);
  if (found === null || twoForms(record) !== null) return null;
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
  return [
    `${often.length === 2 ? 'two' : often.length} failures take turns, ${often.map(({ length }) => length).join(' and ')} times: ` +
      `each edit mends one failure ` +
      `and brings ${often.length === 2 ? 'the other' : 'another'} back: ${lines.join(' · ')}`,
    'Neither edit is enough, and going back and forth does not help. Read what both failures ask for, and make one edit that satisfies ' +
      `both.${where} If they ask for opposites of the same thing, ask.`,
  ];
};

const QUOTED_NAME = /(['"`‘])[^'"`’\n]{1,120}['"`’]/g;
const TRACED = /(?:File "|\bat |-->\s*|\()?((?:[\w.@+-]*\/)*[\w.@+-]+\.\w{1,5})(?:", line |[:(])\d+/g;
const MODULE = /\bmodule ['"`]([\w./@-]{2,120})['"`]/;
const CIRCULAR = /\bcircular (?:import|dependency)|partially initialized module\b/i;

/** The errors differ only in the names that they quote: one failure, met from another side. */
function oneOfBoth([first, second]: readonly RecordedTurn[]): Reason | null {
  if (first === undefined || second === undefined || bare(first.errorLine) !== bare(second.errorLine))
    return null;
  const [there, here] = [filesIn(first.output), filesIn(second.output)];
  const both = there.filter((file) => here.includes(file));
  const lines = `${quote(first.errorLine)} · ${quote(second.errorLine)}`;
  const modules = new Set([first, second].flatMap(({ errorLine }) => MODULE.exec(errorLine)?.[1] ?? []));
  if (both.length === 0 && modules.size < 2) return null;
  const files = (modules.size > 1 ? [...modules] : both.slice(-2)).join(' and ');
  return CIRCULAR.test(first.errorLine)
    ? [
        `${files} import each other: it is one failure, met from whichever side is loaded first: ${lines}`,
        `Another order of the imports does not help. Move what ${files} both need into a third file, or import it inside the function.`,
      ]
    : [
        `it is one failure in two forms, and both come through ${files}: ${lines}`,
        `Open ${files}: both forms pass there. Mend what they share; an edit for one form only brings the other.`,
      ];
}

function bare(line: string): string {
  return line.replace(QUOTED_NAME, '').replace(/\s+/g, ' ');
}

function filesIn(output: string): readonly string[] {
  return [...new Set([...output.matchAll(TRACED)].map(([, file = '']) => file))];
}
