/** `carryOutRecovery`: chooses the next step of a diagnosed incident and carries it out. */
import type { Incident, RunState } from '../../state/run-state.ts';
import type { Mission } from '../../vocabulary/mission.ts';
import { flag } from '../question/ask.ts';
import { missionToInject } from '../close-mission.ts';
import { spentInstead } from './hard-budget.ts';
import { planAttempt } from '../plan-attempt.ts';
import { chooseWay } from './choose-way.ts';
import { stopped } from '../stopped.ts';
import type { Turn } from '../turn.ts';

export function carryOutRecovery(turn: Turn, open: Incident): void {
  if (turn.state.asked.stop !== null) return stopped(turn);
  const incident = spentInstead(turn, open);
  const mission = missionToInject(turn.state);
  if (mission !== null) return planAttempt(turn, incident.recoveries.at(-1) ?? null, mission.plan.injection);
  const way = chooseWay(turn.state, incident, turn.at);
  if (way.type === 'ask') return flag(turn, incident, way.why);
  const vain = way.recovery.strategy === 'wait' ? undefined : failedRescue(turn.state);
  if (vain !== undefined) return flag(turn, incident, `the rescue by ${vain.owner} did not get past it`);
  const { recovery } = way;
  turn.decide({ type: 'recovery_decided', incident: incident.id, recovery });
  if (recovery.notBefore === null || recovery.notBefore <= turn.at) return planAttempt(turn, recovery, null);
  turn.decide({
    type: 'waiting',
    for: incident.class === 'network_failure' ? 'host' : 'time',
    until: recovery.notBefore,
    reason: recovery.reason,
  });
  turn.timer('retry', recovery.notBefore);
}

/** The mission whose context the last attempt had, unless its incident is past. */
function failedRescue({ missions, attempts }: RunState): Mission | undefined {
  const last = missions.at(-1);
  const hadIt = last !== undefined && last.injectedAt === attempts.at(-1)?.plannedAt;
  return hadIt && last.outcome !== 'resolved' ? last : undefined;
}
