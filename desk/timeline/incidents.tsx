/** `Incidents`: the lane of incidents: solid until the run was resumed, hollow until that was verified. */
import { rescueTimes } from '../../src/core/view/rescue-times.ts';
import { ms } from '../time.ts';
import { EDGE, LANES, type LaneShown } from './lanes.ts';

/** Words keep this distance from the line of the cursor. */
const GAP = 4;

export function Incidents({ run, scale, now }: LaneShown) {
  const y = LANES.incidents;
  const edges = scale.folds.map((fold) => fold.left);
  let labelEnd = Number.NEGATIVE_INFINITY;
  return (
    <g class="lane-incidents">
      {run.incidents.flatMap(({ id, class: failure, detected_at, resumed_at, verified_at, outcome }) => {
        const from = ms(detected_at);
        if (from === null) return [];
        const over = ms(verified_at) ?? (outcome === null ? now : (ms(resumed_at) ?? from));
        const resumed = ms(resumed_at) ?? over;
        const [left, middle, right] = [scale.x(from), scale.x(Math.min(resumed, over)), scale.x(over)];
        const name = failure.replaceAll('_', ' ');
        const times = rescueTimes({ detected: from, resumed: ms(resumed_at), verified: ms(verified_at) });
        const took = outcome === 'resolved' ? (times.at(-1) ?? outcome) : (outcome ?? 'under way');
        const room = Math.max(name.length, took.length) * 6.2;
        // A label at the end of the line ends with its bar: it is drawn whole or not at all.
        const isLast = left + room > scale.x(scale.to) + EDGE - GAP;
        // A fold that begins a little later would cut through the words: they begin inside it.
        const edge = edges.find((one) => one > left && one - left < EDGE && one + room < right) ?? left - 2;
        const words = isLast ? { x: right - GAP, 'text-anchor': 'end' } : { x: edge + GAP };
        const begins = isLast ? right - GAP - room : edge;
        const labelled = begins > labelEnd + 8;
        if (labelled) labelEnd = begins + room;
        return [
          <g key={id}>
            <title>{`${name}: ${times.join(', ') || took}`}</title>
            <rect class="hollow" x={left} y={y} width={Math.max(right - left, 4)} height="7" />
            <rect class="solid" x={left} y={y} width={Math.max(middle - left, 4)} height="7" />
            {labelled && (
              <text class="name" {...words} y={y + 19}>
                {name}
              </text>
            )}
            {labelled && (
              <text class="took" {...words} y={y + 32}>
                {took}
              </text>
            )}
          </g>,
        ];
      })}
    </g>
  );
}
