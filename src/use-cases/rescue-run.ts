/** `rescueRun`: begins a rescue mission: the agent continues with what a person found out. */
import type { Mission, MissionPlan } from '../core/vocabulary/mission.ts';
import { openIncident, openMission, type RunState } from '../core/state/run-state.ts';
import { assertPerson } from '../supervise/mail/assert-person.ts';
import { loadState } from '../supervise/run-journal.ts';
import { type Caller, speak } from './caller.ts';
import { type Refused, runEnded } from './refusal.ts';

export interface Rescue {
  readonly runId: string;
  readonly owner: string;
  /** The evidence is the incident's own. */
  readonly plan: Omit<MissionPlan, 'evidence'>;
}

export type RescueResult =
  | { readonly type: 'rescuing'; readonly mission: Mission }
  | Refused<'run_ended' | 'rescue_under_way' | 'not_rescued'>;

export async function rescueRun(caller: Caller, { runId, owner, plan }: Rescue): Promise<RescueResult> {
  const before = await loadState(caller.record, runId);
  const refusal = rescueRefusal(before);
  if (refusal !== null) return refusal;
  await assertPerson(caller, 'a rescue');
  const evidence = openIncident(before)?.diagnosis?.evidence.map(({ text }) => text) ?? [];
  const word = { type: 'rescue_requested', by: owner, plan: { ...plan, evidence } } as const;
  const after = await speak(caller, runId, word);
  const mission = after.missions[before.missions.length];
  if (mission === undefined) return { type: 'refused', because: 'not_rescued', runId };
  return { type: 'rescuing', mission };
}

/** Known before a person is asked for a plan. */
export function rescueRefusal(state: RunState): Refused<'run_ended' | 'rescue_under_way'> | null {
  const { runId } = state;
  const open = openMission(state);
  if (state.life.type === 'ended' || open === undefined) return runEnded('rescue', state);
  return { type: 'refused', because: 'rescue_under_way', runId, mission: open.id, owner: open.owner };
}
