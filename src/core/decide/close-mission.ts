/** `closeMission`, `endMission`: end a mission. `missionToInject`: the open mission whose context has not reached an agent yet. */
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

/** The run is over. A mission whose injected text never reached an agent counts as abandoned. */
export function endMission(turn: Turn, outcome: 'resolved' | 'abandoned'): void {
  const mission = openMission(turn.state);
  const reached = mission !== undefined && mission.injectedAt !== null && mission.resumedAt !== null;
  closeMission(turn, reached ? outcome : 'abandoned');
}

/** A person can plan a mission while an agent still has to be stopped first; it is injected at the next start. */
export function missionToInject(state: RunState): Mission | null {
  const mission = openMission(state);
  return mission !== undefined && mission.injectedAt === null ? mission : null;
}
