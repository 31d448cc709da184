/** `Calls`: the lane of the agent's calls: those that moved the work, those that failed, the others. */
import type { CallSlice } from '../../src/http/timeline-document.ts';
import type { TimeScale } from './time-scale.ts';
import { LANES } from './lanes.ts';

const CALL_HEIGHT = 34;

/** Few calls are a tick each; many are bars of four pixels, stacked the same way. */
interface CallsShown {
  readonly slices: readonly CallSlice[];
  readonly scale: TimeScale;
  /** Where the name of the lane begins. */
  readonly edge: number;
}

export function Calls({ slices, scale, edge }: CallsShown) {
  const bottom = LANES.calls + CALL_HEIGHT;
  const columns = new Map<number, { moved: number; failed: number; plain: number }>();
  for (const { at, to, moved, failed, plain } of slices) {
    const place = Math.round(scale.x((at + to) / 2) / 4) * 4;
    const sum = columns.get(place) ?? { moved: 0, failed: 0, plain: 0 };
    columns.set(place, { moved: sum.moved + moved, failed: sum.failed + failed, plain: sum.plain + plain });
  }
  const most = Math.max(
    1,
    ...[...columns.values()].map(({ moved, failed, plain }) => moved + failed + plain),
  );
  const single = most === 1;
  return (
    <g class="lane-calls">
      {!single && (
        <text x={edge} y={LANES.calls + 30}>
          tallest: {most}
        </text>
      )}
      {[...columns].map(([x, { moved, failed, plain }]) => {
        if (single) {
          const kind = moved > 0 ? 'moved' : failed > 0 ? 'failed' : 'plain';
          const height = kind === 'moved' ? 24 : kind === 'failed' ? 16 : 10;
          return <rect key={x} class={kind} x={x - 1} width="2" y={bottom - height} height={height} />;
        }
        const tall = (count: number) => (count / most) * CALL_HEIGHT;
        return (
          <g key={x}>
            <rect class="plain" x={x - 1.5} width="3" y={bottom - tall(plain)} height={tall(plain)} />
            <rect
              class="failed"
              x={x - 1.5}
              width="3"
              y={bottom - tall(plain + failed)}
              height={tall(failed)}
            />
            <rect
              class="moved"
              x={x - 1.5}
              width="3"
              y={bottom - tall(plain + failed + moved)}
              height={tall(moved)}
            />
          </g>
        );
      })}
    </g>
  );
}
