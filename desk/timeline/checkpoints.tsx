/** `Checkpoints`: the lane of checkpoints; the first and the last have their number, the others where there is room. */
import type { RunJson } from '../../src/core/view/run-json.ts';
import { ms } from '../time.ts';
import type { TimeScale } from './time-scale.ts';
import { LANES } from './lanes.ts';

/** Between a tick and its number, and between a number and what comes next. */
const GAP = 4;
const DIGIT = 6.4;

interface Tick {
  readonly number: number;
  readonly x: number;
}

interface Words {
  readonly from: number;
  readonly to: number;
}

export function Checkpoints({ run, scale }: { readonly run: RunJson; readonly scale: TimeScale }) {
  const y = LANES.checkpoints;
  const ticks: Tick[] = [];
  for (const { number, at, state } of run.checkpoints) {
    const time = ms(at);
    const x = time === null || state === 'failed' ? null : scale.x(time);
    if (x === null) continue;
    // Ticks that would touch are one, with the number of the last.
    if (x - (ticks.at(-1)?.x ?? Number.NEGATIVE_INFINITY) < 3) ticks.pop();
    ticks.push({ number, x });
  }
  const numbered = numbers(ticks, scale.x(scale.to));
  return (
    <g class="lane-checkpoints">
      {ticks.map(({ number, x }) => (
        <g key={number}>
          <line x1={x} x2={x} y1={y + 2} y2={y + 18} />
          {numbered.has(number) && (
            <text x={numbered.get(number)?.from} y={y + 14}>
              {number}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}

/** Where each number stands: after its tick; at the end of the line before it. */
export function numbers(ticks: readonly Tick[], end: number): ReadonlyMap<number, Words> {
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
