/** `checkpointNumbers`: which ticks of the lane of checkpoints have their number beside them, and on which side. */

/** Between a tick and its number, and between a number and what comes next. */
const GAP = 4;
const DIGIT = 6.4;

export interface Tick {
  readonly number: number;
  readonly x: number;
}

interface Words {
  readonly from: number;
  readonly to: number;
}

/** Where each number stands: after its tick; at the end of the line before it. */
export function checkpointNumbers(ticks: readonly Tick[], end: number): ReadonlyMap<number, Words> {
  const placed = new Map<number, Words>();
  const isFree = ({ from, to }: Words) =>
    [...placed.values()].every((other) => to + GAP <= other.from || from - GAP >= other.to);
  const [first, last] = [ticks[0], ticks.at(-1)];
  for (const tick of new Set([last, first, ...ticks])) {
    if (tick === undefined) continue;
    const wide = String(tick.number).length * DIGIT;
    const after = { from: tick.x + GAP, to: tick.x + GAP + wide };
    const before = { from: tick.x - GAP - wide, to: tick.x - GAP };
    const next = ticks.find(({ x }) => x > tick.x)?.x ?? end;
    const words = after.to + GAP / 2 <= next ? after : before;
    const must = tick === last || tick === first;
    if (isFree(words) && (must || words === after)) placed.set(tick.number, words);
  }
  return placed;
}
