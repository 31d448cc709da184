/** `rescueRequested`, `startMission`, `missionEnriched`: phase 4: a person explains the trouble, the run goes on, a lesson is owed. */
import type { FactOf } from '../vocabulary/events/event.ts';
import type { MissionPlan } from '../vocabulary/mission.ts';
import { currentAttempt, openIncident, type RunState } from '../state/run-state.ts';
import { retryFailedCommand } from './question/retry-failed-command.ts';
import { diagnosed, incidentFor, recovery } from './recovery/incident.ts';
import { observedDiagnosis } from './recovery/incident-diagnosis.ts';
import { planAttempt } from './plan-attempt.ts';
import { stopFor } from './stop-attempt.ts';
import type { Turn } from './turn.ts';

export function rescueRequested(turn: Turn, { by, plan }: FactOf<'rescue_requested'>): void {
  turn.cancel('question', 'retry');
  startMission(turn, by, plan);
}

/** The plan of a person who said in one note what the agent was missing. */
export function missionByNote(note: string): MissionPlan {
  return { category: null, rootCause: null, evidence: [], injection: note, filesAdded: [], specChanges: [] };
}

export function startMission(turn: Turn, owner: string, plan: MissionPlan): void {
  const { life } = turn.state;
  const incident =
    openIncident(turn.state) ??
    incidentFor(turn, 'unknown', currentAttempt(turn.state)?.number ?? 0, turn.at);
  if (incident.diagnosis === null || plan.rootCause !== null || plan.category !== null) {
    const told = observedDiagnosis(
      incident.class,
      plan.rootCause ?? incident.diagnosis?.rootCause ?? 'a person takes over',
      plan.evidence,
    );
    const base = incident.diagnosis ?? told;
    diagnosed(turn, incident, {
      ...base,
      ...(plan.rootCause === null
        ? {}
        : {
            rootCause: plan.rootCause,
            origin: 'person' as const,
            hypotheses: [...base.hypotheses, { cause: plan.rootCause, test: 'the rescue gets past it' }],
          }),
      ...(plan.category === null ? {} : { category: plan.category, categoryReason: `said by ${owner}` }),
      evidence: plan.evidence.length > 0 ? told.evidence : base.evidence,
    });
  }
  turn.decide({
    type: 'mission_started',
    mission: `${turn.state.runId}-m${turn.state.missions.length + 1}`,
    incident: incident.id,
    owner,
    plan,
    detectedAt: incident.detectedAt,
  });
  const way = recovery({
    strategy: 'resume',
    phase: 4,
    returnTo: incident.diagnosis?.returnTo ?? null,
    reason: `rescue mission by ${owner}`,
    hint: plan.injection,
  });
  turn.decide({ type: 'recovery_decided', incident: incident.id, recovery: way });
  if (life.type === 'working') {
    const reason = openIncident(turn.state)?.diagnosis?.rootCause ?? `${owner} took over`;
    stopFor(turn, life.attempt, 'rescue mission', { class: incident.class, reason });
  }
  // While an attempt is stopped, examined or checked, `carryOutRecovery` finds the mission waiting to be injected.
  else if (life.type === 'waiting' && !(isUnprepared(turn.state) && retryFailedCommand(turn)))
    planAttempt(turn, way, plan.injection);
}

/** True: there is no workspace, or its work was not saved. That is repaired first; the attempt after it gets the injected context. */
function isUnprepared({ workspace, life, attempts }: RunState): boolean {
  const failed = life.type === 'waiting' ? life.failed : null;
  if (workspace === null || failed === null) return workspace === null;
  const { command } = failed;
  return command === 'examine_attempt' || (command === 'run_checks' && attempts.length === 0);
}

export function missionEnriched(
  turn: Turn,
  { mission, contextUpdates, reason, by }: FactOf<'mission_enriched'>,
): void {
  const what =
    contextUpdates.length > 0 ? contextUpdates.join(', ') : `nothing: ${reason ?? 'no reason given'}`;
  turn.decide({ type: 'noted', text: `${mission} enriched by ${by}: ${what}` });
}
