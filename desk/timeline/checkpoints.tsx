/** `Checkpoints`: the lane of checkpoints, numbered where there is room. */
import type { RunJson } from '../../src/core/view/run-json.ts';
import { ms } from '../time.ts';
import type { TimeScale } from './time-scale.ts';
import { LANES } from './lanes.ts';

/** A number stands where it touches no other tick. */
const NUMBER_ROOM = 22;

export function Checkpoints({ run, scale }: { readonly run: RunJson; readonly scale: TimeScale }) {
  const y = LANES.checkpoints;
  const ticks: { readonly number: number; readonly x: number }[] = [];
  for (const { number, at, state } of run.checkpoints) {
    const time = ms(at);
    const x = time === null || state === 'failed' ? null : scale.x(time);
    if (x === null) continue;
    // Ticks that would touch are one, with the number of the last.
    if (x - (ticks.at(-1)?.x ?? Number.NEGATIVE_INFINITY) < 3) ticks.pop();
    ticks.push({ number, x });
  }
  return (
    <g class="lane-checkpoints">
      {ticks.map(({ number, x }, index) => (
        <g key={number}>
          <line x1={x} x2={x} y1={y + 2} y2={y + 18} />
          {(ticks[index + 1]?.x ?? Number.POSITIVE_INFINITY) - x >= NUMBER_ROOM && (
            <text x={x + 4} y={y + 14}>
              {number}
            </text>
          )}
        </g>
      ))}
    </g>
  );
}
