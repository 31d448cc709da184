/** `gotOverIn`: the call in which a run did what it could not do before; the trouble in which it was stuck never came back. */
import type { RecordedTurn } from './recorded-turn.ts';
import { bareCommand, checkOf } from '../check-mark.ts';
import { changes } from '../detectors/staleness.ts';
import { pageIn } from './page-shown.ts';
import { editsFile, type Repeated } from './repeated-turns.ts';
import type { StuckStretch } from './stuck-stretch.ts';

/** Null if it was in the same trouble to its end. `misplaced`: an edit that was accepted in the wrong file. */
export function gotOverIn(
  turns: readonly RecordedTurn[],
  { groups: [main] }: StuckStretch,
  misplaced: RecordedTurn | undefined,
): RecordedTurn | null {
  const last = main?.turns.at(-1);
  if (main === undefined || last === undefined) return null;
  const isSuccess = (turn: RecordedTurn) =>
    editsFile(main.turn)
      ? editsFile(turn) && changes(turn) && turn !== misplaced
      : succeeds(main, turn);
  // What worked in between and did not end the trouble does not end it this time either.
  const cameBack = main.turns.filter((member, at) => {
    const next = main.turns[at + 1];
    return (
      next !== undefined &&
      turns.some((turn) => turn.step > member.step && turn.step < next.callStep && isSuccess(turn))
    );
  });
  if (cameBack.length * 2 >= main.count - 1) return null;
  return turns.find((turn) => turn.step > last.step && isSuccess(turn)) ?? null;
}

function succeeds(
  { turn: stuck, turns }: Repeated,
  turn: RecordedTurn,
): boolean {
  if (turn.failed || turn.barren || turn.waiting !== null) return false;
  const page = pageIn(turn.output);
  if (page !== null) {
    const before = turns.map((each) => pageIn(each.output)?.address);
    return !before.includes(page.address);
  }
  if (!stuck.failed) return changes(turn);
  const check = checkOf(stuck);
  return check === 0 ? programOf(turn) === programOf(stuck) : checkOf(turn) === check;
}

function programOf({ tool, input }: RecordedTurn): string {
  return `${tool} ${/^\S+/.exec(bareCommand(input))?.[0] ?? ''}`;
}
