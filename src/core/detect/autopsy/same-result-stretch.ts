/**
 * `sameResultStretch`: from where on a run got the same bad result, whatever it changed; null if it got over that. `greenBy`: what turned
 * the result good at the end, if that proves nothing; `turnsGood`: it is good at the end.
 */
import { changes } from '../staleness.ts';
import { TEST_FILE } from './reasons/switched-off.ts';
import { programsOf } from './programs-of.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { repeatedBy } from './repeated-turns.ts';
import { weightOf } from './same-result.ts';
import { editedPath } from './side-effects.ts';
import { RECOVERED_TURNS, type StuckStretch, stretchOf, usefulAfter } from './stuck-stretch.ts';

/** `isDone`: the run says so; `isPast`: also where it got over that. */
export function sameResultStretch(
  turns: readonly RecordedTurn[],
  isDone: boolean,
  isPast = false,
): StuckStretch | null {
  const red = turns.filter(({ sameResult }) => sameResult !== null);
  const [first] = red;
  if (
    first === undefined ||
    (first.sameResult === 'plain' && !isDone) ||
    (!isPast && isOver(turns, red, isDone))
  )
    return null;
  const next = turns[turns.indexOf(first) + 1] ?? first;
  // The plainest of the calls that name the failure best is told.
  const best = Math.max(...red.map(({ errorLine }) => Math.floor(weightOf(errorLine))));
  const told = red
    .filter(({ errorLine }) => Math.floor(weightOf(errorLine)) === best)
    .reduce((short, each) => (each.input.length < short.input.length ? each : short));
  return stretchOf(turns, repeatedBy('error', 'same result', red, told), next.callStep);
}

function isOver(turns: readonly RecordedTurn[], red: readonly RecordedTurn[], isDone: boolean): boolean {
  const since = turns.slice(turns.indexOf(red[0] as RecordedTurn));
  const isPart = red.length < since.length * LEAST_SHARE;
  if (isPart || usefulAfter(turns, red.at(-1)?.step ?? 0) >= RECOVERED_TURNS) return true;
  return turnsGood(turns, red) && (!isDone || greenBy(turns, red) === null);
}

/** So many files that are no tests were edited in vain before. */
const OTHERS = 3;
/** A smaller share of the calls is a part of longer work. */
const LEAST_SHARE = 1 / 4;

/** The check is good at the end. */
export function turnsGood(turns: readonly RecordedTurn[], red: readonly RecordedTurn[]): boolean {
  const later = turns.filter((turn) => turn.step > (red.at(-1)?.step ?? 0) && isSameCheck(turn, red));
  return later.at(-1)?.failed === false;
}

/** A test that was changed after the last bad result, or the check that turns by itself; null if what is tested was changed. */
export function greenBy(
  turns: readonly RecordedTurn[],
  red: readonly RecordedTurn[],
): { readonly path: string } | { readonly flaky: RecordedTurn } | null {
  const [first, last] = [red[0] as RecordedTurn, red.at(-1) as RecordedTurn];
  const paths = turns
    .filter((turn) => turn.step > first.step && changes(turn))
    .flatMap((turn) => editedPath(turn) ?? []);
  const tests = paths.filter((path) => TEST_FILE.test(path));
  const isLast = turns.findLast(changes)?.step ?? 0;
  const path = paths.at(-1);
  // A run that is about its tests edits them all the time.
  if (
    path !== undefined &&
    tests.length === 1 &&
    tests[0] === path &&
    isLast > last.step &&
    paths.length > OTHERS
  )
    return { path };
  const flaky = red.find((turn) => {
    const before = turns.slice(0, turns.indexOf(turn));
    const green = before.findLastIndex((each) => !each.failed && isSameCheck(each, [turn]));
    // Anything but a look may have changed something.
    return green >= 0 && before.slice(green + 1).every(({ kind }) => kind === 'read' || kind === 'search');
  });
  return flaky === undefined ? null : { flaky };
}

/** A call that runs one of the programs of the bad ones, and does not have their result. */
function isSameCheck(turn: RecordedTurn, red: readonly RecordedTurn[]): boolean {
  if (turn.sameResult !== null) return false;
  const own = programsOf(turn);
  // What ran beside the check once is not the check.
  return (
    red.filter((each) => programsOf(each).some((program) => own.includes(program))).length * 2 >= red.length
  );
}
