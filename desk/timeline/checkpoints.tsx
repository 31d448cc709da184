/** `Checkpoints`: the lane of checkpoints; the first and the last have their number, the others where there is room. */
import type { RunJson } from '../../src/core/view/run-json.ts';
import { ms } from '../time.ts';
import type { TimeScale } from './time-scale.ts';
import { checkpointNumbers, type Tick } from './checkpoint-numbers.ts';
import { LANES } from './lanes.ts';

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
  const numbered = checkpointNumbers(ticks, scale.x(scale.to));
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
