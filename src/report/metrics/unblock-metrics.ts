/** `unblockMetrics`: how long it takes to get a stuck run going again, and where that time goes (M2). */
import type { IncidentMetrics, RunMetrics } from '../../core/view/run-metrics.ts';
import { incidentsOf } from './incidents-of.ts';
import { distribution, measured } from './statistics.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The number of points of a trend: enough to see it, few enough to read it. */
const DAILY_UP_TO_DAYS = 21;

type Part = (incident: IncidentMetrics) => number | null;

const mttu: Part = ({ resumed, detected }) => between(detected, resumed);
const PARTS = {
  notice: ({ began, detected }) => between(began, detected),
  diagnose: ({ detected, diagnosed }) => between(detected, diagnosed),
  decide: ({ diagnosed, decided }) => between(diagnosed, decided),
  first_useful_action: ({ decided, verified }) => between(decided, verified),
} as const satisfies Record<string, Part>;

export function unblockMetrics(
  runs: readonly RunMetrics[],
  period: { readonly from: number; readonly to: number },
) {
  const incidents = incidentsOf(runs);
  const over = (chosen: readonly IncidentMetrics[], part: Part) => distribution(measured(chosen, part));
  return {
    mttu_ms: over(incidents, mttu),
    with_people_ms: over(
      incidents.filter(({ asked }) => asked),
      mttu,
    ),
    without_people_ms: over(
      incidents.filter(({ asked }) => !asked),
      mttu,
    ),
    parts_ms: Object.fromEntries(
      Object.entries(PARTS).map(([name, part]) => [name, over(incidents, part)]),
    ) as Record<keyof typeof PARTS, ReturnType<typeof distribution>>,
    trend: trend(incidents, period),
  };
}

export function mttuOf(incidents: readonly IncidentMetrics[]): ReturnType<typeof distribution> {
  return distribution(measured(incidents, mttu));
}

/** Days for short periods, weeks for long ones, from the beginning of the period. */
function trend(
  incidents: readonly IncidentMetrics[],
  { from, to }: { readonly from: number; readonly to: number },
) {
  const stepMs = (to - from) / DAY_MS <= DAILY_UP_TO_DAYS ? DAY_MS : 7 * DAY_MS;
  const groups = Map.groupBy(incidents, ({ detected }) => Math.floor((detected - from) / stepMs));
  return [...groups.entries()]
    .filter(([index]) => index >= 0)
    .toSorted(([a], [b]) => a - b)
    .map(([index, group]) => {
      const { mean, n } = mttuOf(group);
      return {
        from: new Date(from + index * stepMs).toISOString(),
        to: new Date(Math.min(from + (index + 1) * stepMs, to)).toISOString(),
        incidents: group.length,
        resumed: n,
        mttu_ms: mean,
      };
    });
}

function between(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.max(0, to - from);
}
