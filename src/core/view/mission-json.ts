/** `missionJson`: the public document of a rescue mission. Keys are promised: add, never rename. */
import {
  closedAt,
  contextUpdatesOf,
  isEnriched,
  type Mission,
  missionState,
  rescuePaths,
  unblockMs,
} from '../vocabulary/mission.ts';

export function missionJson(runId: string, mission: Mission) {
  const { plan, detectedAt, resolvedAt, resumedAt } = mission;
  const unblocked = unblockMs(mission);
  return {
    id: mission.id,
    run_id: runId,
    task_id: runId,
    incident: mission.incident,
    owner: mission.owner,
    detected_at: iso(detectedAt),
    resolved_at: mission.outcome === 'resolved' ? iso(resolvedAt) : null,
    outcome_at: iso(resolvedAt),
    diagnosis: { category: plan.category, evidence: plan.evidence, root_cause: plan.rootCause },
    injection: {
      description: plan.injection,
      files_added: plan.filesAdded,
      spec_changes: plan.specChanges,
      placed: rescuePaths(plan),
    },
    outcome: mission.outcome,
    state: missionState(mission),
    closed_at: iso(closedAt(mission)),
    context_updates: contextUpdatesOf(mission),
    enrichment: { state: isEnriched(mission) ? 'done' : 'owed', reason: mission.enrichmentReason },
    mttu_minutes: unblocked === null ? null : Math.round(unblocked / 600) / 100,
    steps: {
      detect: iso(detectedAt),
      diagnose: iso(mission.diagnosedAt),
      inject: iso(mission.injectedAt),
      resume: iso(resumedAt),
      enrich: iso(mission.enrichedAt),
    },
  };
}

export type MissionJson = ReturnType<typeof missionJson>;

export function iso(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
