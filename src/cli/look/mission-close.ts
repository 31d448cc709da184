/** `closeNamedMission`: closes a mission with a lesson, a changed specification, or the reason why neither (`mayday missions close`). */
import { missionJson } from '../../core/view/mission-json.ts';
import type { Caller } from '../../use-cases/caller.ts';
import { closeMission } from '../../use-cases/learn/close-mission.ts';
import type { Invocation } from '../command.ts';
import { listOf, textOf } from '../option-values.ts';
import { refusalError } from '../../use-cases/refusal-error.ts';

export async function closeNamedMission(invocation: Invocation, caller: Caller): Promise<number> {
  const { args, json, stdout } = invocation;
  const given = (name: string) => listOf(invocation, name).filter((text) => text.trim() !== '');
  const result = await closeMission(caller, {
    mission: args[1] ?? '',
    lessons: given('lesson'),
    specChanges: given('spec'),
    reason: textOf(invocation, 'reason') ?? '',
  });
  if (result.type === 'refused') throw refusalError(result);
  const { runId, mission } = result;
  const learned = mission.contextUpdates.join(', ') || `nothing to learn: ${mission.enrichmentReason ?? ''}`;
  stdout.write(
    json ? `${JSON.stringify(missionJson(runId, mission))}\n` : `closed     ${mission.id}: ${learned}\n`,
  );
  return 0;
}
