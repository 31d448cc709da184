/** `Checkpoints`: the lane of checkpoints, numbered where there is room. */
import type { RunJson } from '../../src/core/view/run-json.ts';
import { ms } from '../time.ts';
import type { TimeScale } from './time-scale.ts';
import { LANES } from './lanes.ts';

export function Checkpoints({ run, scale }: { readonly run: RunJson; readonly scale: TimeScale }) {
  const y = LANES.checkpoints;
  let numbered = Number.NEGATIVE_INFINITY;
  let drawn = Number.NEGATIVE_INFINITY;
  return (
    <g class="lane-checkpoints">
      {run.checkpoints.flatMap(({ number, at, state }) => {
        const time = ms(at);
        if (time === null || state === 'failed') return [];
        const x = scale.x(time);
        if (x - drawn < 3) return [];
        drawn = x;
        const named = x - numbered >= 22;
        if (named) numbered = x;
        return [
          <g key={number}>
            <line x1={x} x2={x} y1={y + 2} y2={y + 18} />
            {named && (
              <text x={x + 4} y={y + 14}>
                {number}
              </text>
            )}
          </g>,
        ];
      })}
    </g>
  );
}
