/** `sinceGood`: the last good run of a failing program, and what was edited between that and the first run that fails. */
import { callText, quote } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import { changes } from '../../staleness.ts';
import { programsOf } from '../programs-of.ts';
import { passes, type RecordedTurn } from '../recorded-turn.ts';
import { editedPath } from '../side-effects.ts';
import type { FailureRecord } from './find-reason.ts';

export interface SinceGood {
  readonly told: string;
  readonly look: string;
}

/** So many edits tell nothing. */
const MANY = 5;

/** Null if it was never good, or if nothing, or too much, was edited since. */
export function sinceGood({ turns, failure }: FailureRecord): SinceGood | null {
  const { first } = failure;
  const programs = new Set(failure.turns.flatMap(programsOf));
  const good = turns.findLast(
    (turn) =>
      turn.step < first.callStep && passes(turn) && programsOf(turn).some((each) => programs.has(each)),
  );
  if (good === undefined) return null;
  const between = turns.filter(
    (turn) => changes(turn) && turn.step > good.step && turn.step < first.callStep,
  );
  const edited = between.flatMap((turn) => {
    const path = editedPath(turn);
    return path === null ? [] : [{ path, added: addedLine(turn) }];
  });
  if (edited.length === 0 || edited.length > MANY) return null;
  const told = edited.map(({ path, added }) => `${path}${added === '' ? '' : ` (\`${quote(added)}\`)`}`);
  const callOf = (turn: RecordedTurn) => turns.indexOf(turn) + 1;
  return {
    told:
      `\`${callText(good)}\` did not fail in call ${callOf(good)}; in between that and call ${callOf(first)}, ` +
      `${told.join(', ')} was edited`,
    look: `Look at what was edited after the good call ${callOf(good)}: ${told.join(', ')}`,
  };
}

/** The first line that an edit put there and that was not there before. */
function addedLine({ given }: RecordedTurn): string {
  const { from, to } = editOf(given) ?? {};
  const lines = (to ?? '')
    .replaceAll('\\"', '"')
    .split('\\n')
    .map((line) => line.trim());
  return lines.find((line) => line.length > 3 && !(from ?? '').replaceAll('\\"', '"').includes(line)) ?? '';
}
