/** How a mission ends, and whether its corrective context still has to reach an agent. */
import type { Mission } from '../vocabulary/mission.ts';
import { openMission, type RunState } from '../state/run-state.ts';
import type { Turn } from './turn.ts';

export function closeMission(turn: Turn, outcome: 'resolved' | 're-escalated' | 'abandoned'): void {
  const mission = openMission(turn.state);
  if (mission === undefined) return;
  const injected = mission.injectedAt !== null && mission.resumedAt !== null;
  if (injected || outcome === 'abandoned')
    turn.decide({ type: 'mission_closed', mission: mission.id, outcome });
}

/** The run is over: a mission whose words never reached an agent rescued nothing. */
export function endMission(turn: Turn, outcome: 'resolved' | 'abandoned'): void {
  const mission = openMission(turn.state);
  const reached = mission !== undefined && mission.injectedAt !== null && mission.resumedAt !== null;
  closeMission(turn, reached ? outcome : 'abandoned');
}

/** Planned by a person while an agent had to be ended first. */
export function missionToInject(state: RunState): Mission | null {
  const mission = openMission(state);
  return mission !== undefined && mission.injectedAt === null ? mission : null;
}
