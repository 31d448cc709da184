/** `Cost`: the lane of money spent, against the budget. */
import type { RunJson } from '../../src/core/view/run-json.ts';
import type { TimelineDocument } from '../../src/http/timeline-document.ts';
import type { TimeScale } from './time-scale.ts';
import { HEIGHT, LANES } from './lanes.ts';

interface CostShown {
  readonly points: TimelineDocument['cost'];
  readonly run: RunJson;
  readonly scale: TimeScale;
}

export function Cost({ points, run, scale }: CostShown) {
  const last = points.at(-1);
  if (last === undefined) return null;
  const [top, bottom] = [LANES.cost + 4, HEIGHT - 2];
  // Room above the curve for its label.
  const most = Math.max(run.budget.cost_usd ?? 0, last.cost_usd * 1.9, 0.01);
  const y = (cost: number) => bottom - (cost / most) * (bottom - top);
  const steps = points
    .map(({ at, cost_usd }) => `H${scale.x(at).toFixed(1)}V${y(cost_usd).toFixed(1)}`)
    .join('');
  const path = `M${scale.x(scale.from)} ${bottom}${steps}H${scale.x(scale.to)}`;
  const text = `$${last.cost_usd.toFixed(2)}${run.budget.cost_usd === null ? '' : ` of $${run.budget.cost_usd}`}`;
  return (
    <g class="lane-cost">
      <path class="area" d={`${path}V${bottom}Z`} />
      <path class="curve" d={path} fill="none" />
      <text x={scale.x(scale.to) - 4} y={LANES.cost + 8} text-anchor="end">
        {text}
      </text>
    </g>
  );
}
