/** `rescueRun`: begins a rescue mission: the agent continues with what a person found out. */
import { realpathSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { Mission, MissionPlan } from '../../core/vocabulary/mission.ts';
import { openIncident, openMission, type RunState } from '../../core/state/run-state.ts';
import { keepRescueFiles, rescueFileProblem } from '../../act/attempt/rescue-files.ts';
import { isInside } from '../../platform/file/inside.ts';
import { lineOf, guardedGit } from '../../platform/git/git.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';
import { type Refused, runEnded } from '../refusal.ts';

export interface Rescue {
  readonly runId: string;
  readonly owner: string;
  /** The evidence is the incident's own. */
  readonly plan: Omit<MissionPlan, 'evidence'>;
  /** The folder from which the paths of the plan are meant. */
  readonly from: string;
  /** Files outside of this folder are refused: Mayday reads them, and the caller may not read everything that Mayday can. */
  readonly within?: string;
}

export type RescueResult =
  | { readonly type: 'rescuing'; readonly mission: Mission }
  | Refused<'run_ended' | 'rescue_under_way' | 'not_rescued' | 'rescue_file_unusable'>;

export async function rescueRun(
  caller: Caller,
  { runId, owner, plan, from, within }: Rescue,
): Promise<RescueResult> {
  const before = await loadState(caller.record, runId);
  const refusal = rescueRefusal(before);
  if (refusal !== null) return refusal;
  await assertPerson(caller, 'a rescue');
  const paths = [...plan.filesAdded, ...plan.specChanges].map((path) => resolve(from, path));
  for (const path of paths) {
    const why = rescueFileProblem(path) ?? outside(path, within);
    if (why !== null) return { type: 'refused', because: 'rescue_file_unusable', path, why };
  }
  keepRescueFiles(caller.home, runId, paths);
  const given = [...plan.filesAdded, ...plan.specChanges];
  const isSame = await Promise.all(paths.map((path) => isInBase(before, path)));
  const unchanged = given.filter((_, index) => isSame[index]);
  const evidence = openIncident(before)?.diagnosis?.evidence.map(({ text }) => text) ?? [];
  const word = { type: 'rescue_requested', by: owner, plan: { ...plan, evidence, unchanged } } as const;
  const after = await speak(caller, runId, word);
  const mission = after.missions[before.missions.length];
  if (mission === undefined) return { type: 'refused', because: 'not_rescued', runId };
  return { type: 'rescuing', mission };
}

function outside(path: string, within: string | undefined): string | null {
  if (within === undefined) return null;
  return isInside(realpathSync(path), realpathSync(within)) ? null : `lies outside of ${within}`;
}

/** True: the base of the run has this file with the same content. */
async function isInBase({ repository, workspace }: RunState, path: string): Promise<boolean> {
  const commit = workspace?.baseCommit ?? null;
  if (commit === null || !isInside(path, repository)) return false;
  const call = { cwd: repository, env: process.env };
  const base = await guardedGit({
    ...call,
    args: ['rev-parse', '--verify', '--quiet', `${commit}:${relative(repository, path)}`],
  });
  const now = await guardedGit({ ...call, args: ['hash-object', '--', path] });
  return base.exitCode === 0 && now.exitCode === 0 && lineOf(base) === lineOf(now);
}

/** Known before a person is asked for a plan. */
export function rescueRefusal(state: RunState): Refused<'run_ended' | 'rescue_under_way'> | null {
  const { runId } = state;
  const open = openMission(state);
  if (state.life.type === 'ended' || open === undefined) return runEnded('rescue', state);
  return { type: 'refused', because: 'rescue_under_way', runId, mission: open.id, owner: open.owner };
}
