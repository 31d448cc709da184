/** `reasonTable`: the reasons of the classic recovery report, from classes. A class without a row is its own reason. */
import { isBlockerCode } from '../../core/vocabulary/blockers/blocker.ts';
import { REPORT_REASONS } from '../../core/vocabulary/classes/class-rule.ts';
import { ruleOf } from '../../core/vocabulary/classes/incident-class.ts';
import { isFailureClass } from '../../core/vocabulary/classes/failure-class.ts';
import type { IncidentMetrics } from '../../core/view/run-metrics.ts';

export function reasonOf(incidentClass: string): string {
  const words = incidentClass.replaceAll('_', ' ');
  if (isBlockerCode(incidentClass)) return ruleOf(incidentClass).reason ?? `Blocked: ${words}`;
  if (!isFailureClass(incidentClass)) return `Blocked: ${words}`;
  return ruleOf(incidentClass).reason ?? words.charAt(0).toUpperCase() + words.slice(1);
}

export function reasonTable(incidents: readonly IncidentMetrics[]) {
  const found = Map.groupBy(incidents, (incident) => reasonOf(incident.class));
  const row = (reason: string) => {
    const group = found.get(reason) ?? [];
    return {
      reason,
      count: group.length,
      share: incidents.length === 0 ? 0 : group.length / incidents.length,
      agents: [...new Set(group.map(({ agent }) => agent))].toSorted(),
      classes: [...new Set(group.map((incident) => incident.class))].toSorted(),
    };
  };
  const classic = new Set<string>(REPORT_REASONS);
  const others = [...found.keys()].filter((reason) => !classic.has(reason)).map(row);
  return [
    ...REPORT_REASONS.map(row),
    ...others.toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
  ];
}
