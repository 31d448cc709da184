/** From classes to the reasons of the classic recovery report: one table. What is not in it stands under its own class. */
import { isFailureClass } from '../../core/vocabulary/failure-class.ts';
import type { IncidentMetrics } from '../../core/view/run-metrics.ts';

/** Always shown, also at zero, in this order. */
const CLASSIC = [
  'Interrupted (SIGINT)',
  'Timeout',
  'Model API error',
  'Git/forge error',
  'Permission error',
  'Unknown',
] as const;

const REASON: Readonly<Record<string, (typeof CLASSIC)[number]>> = {
  interrupted: 'Interrupted (SIGINT)',
  timeout: 'Timeout',
  rate_limited: 'Model API error',
  overloaded: 'Model API error',
  context_overflow: 'Model API error',
  session_corrupt: 'Model API error',
  model_refusal: 'Model API error',
  tool_protocol_error: 'Model API error',
  git_conflict: 'Git/forge error',
  git_error: 'Git/forge error',
  patch_does_not_apply: 'Git/forge error',
  sink_not_writable: 'Git/forge error',
  sink_drifted: 'Git/forge error',
  delivery_failed: 'Git/forge error',
  permission_denied: 'Permission error',
  auth_failure: 'Permission error',
  unknown: 'Unknown',
};

export interface ReasonRow {
  readonly reason: string;
  readonly count: number;
  readonly share: number;
  readonly agents: readonly string[];
}

export function reasonOf(incidentClass: string): string {
  if (Object.hasOwn(REASON, incidentClass)) return REASON[incidentClass] as string;
  const words = incidentClass.replaceAll('_', ' ');
  return isFailureClass(incidentClass) ? words.charAt(0).toUpperCase() + words.slice(1) : `Blocked: ${words}`;
}

export function reasonTable(incidents: readonly IncidentMetrics[]): ReasonRow[] {
  const found = Map.groupBy(incidents, (incident) => reasonOf(incident.class));
  const row = (reason: string): ReasonRow => {
    const group = found.get(reason) ?? [];
    return {
      reason,
      count: group.length,
      share: incidents.length === 0 ? 0 : group.length / incidents.length,
      agents: [...new Set(group.map(({ agent }) => agent))].toSorted(),
    };
  };
  const classic = new Set<string>(CLASSIC);
  const others = [...found.keys()].filter((reason) => !classic.has(reason)).map(row);
  return [
    ...CLASSIC.map(row),
    ...others.toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
  ];
}
