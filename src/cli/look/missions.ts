/** `mayday missions`: lists rescue missions, those that still owe a lesson first; `close` records what was learned. */
import { readView } from '../../core/view/read-view.ts';
import { type MissionJson, missionJson } from '../../core/view/mission-json.ts';
import { RESCUE_WHEN } from '../../core/vocabulary/mission.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { RunRecord } from '../../record/contract.ts';
import { lessonFacts } from '../../report/read-history.ts';
import type { Invocation } from '../command.ts';
import { columns } from '../../core/text/columns.ts';
import { plainLine } from '../render/plain.ts';
import { print } from '../print.ts';
import { withRecord } from '../with-record.ts';
import type { Caller } from '../../use-cases/caller.ts';
import { closeMission } from '../../use-cases/learn/close-mission.ts';
import { listOf, textOf } from '../option-values.ts';
import { granted } from '../../use-cases/refusal-error.ts';

export function run(invocation: Invocation): Promise<number> {
  const [verb] = invocation.args;
  if (verb !== undefined && verb !== 'close')
    throw usageError(
      'WRONG_ARGUMENTS',
      `mayday missions takes nothing or close, not ${JSON.stringify(verb.slice(0, 40))}`,
      [['do', 'mayday missions --help']],
    );
  return withRecord(invocation, (opened) =>
    verb === 'close' ? closeNamedMission(invocation, opened) : list(invocation, opened.record),
  );
}

async function list(invocation: Invocation, record: RunRecord): Promise<number> {
  const lessons = await lessonFacts(record, {}, Date.now());
  const decided = new Set(lessons.filter((lesson) => lesson.decided).map(({ incident }) => incident));
  const missions = (await record.rows())
    .flatMap((row) => readView(row).missions ?? [])
    .map((mission) => standing(mission, decided.has(mission.incident)))
    .toSorted((a, b) => owed(b) - owed(a) || (b.detected_at ?? '').localeCompare(a.detected_at ?? ''));
  const none = `no rescue missions yet: mayday rescue RUN\nTake one ${RESCUE_WHEN}.\n`;
  return print(invocation, missions, missions.length === 0 ? none : columns(missions.map(cells)));
}

/** A decision on the mission's lesson may be in the ledger only, not in the run's journal; rows of an older Mayday have no state. */
function standing(mission: MissionJson, decided: boolean): MissionJson {
  const done = decided || mission.enrichment.state === 'done';
  const state = mission.outcome === null ? 'under_way' : done ? 'closed' : 'owes_enrichment';
  return { ...mission, state, enrichment: { ...mission.enrichment, state: done ? 'done' : 'owed' } };
}

function owed({ state }: MissionJson): number {
  return state === 'owes_enrichment' ? 1 : 0;
}

function cells({ id, outcome, state, diagnosis, mttu_minutes, injection }: MissionJson): readonly string[] {
  return [
    id,
    outcome ?? 'under way',
    diagnosis.category?.replaceAll('_', ' ') ?? '-',
    mttu_minutes === null ? '-' : `${mttu_minutes} min`,
    state === 'under_way' ? 'open' : state.replaceAll('_', ' '),
    plainLine(diagnosis.root_cause ?? injection.description, 50),
  ];
}

async function closeNamedMission(invocation: Invocation, caller: Caller): Promise<number> {
  const given = (name: string) => listOf(invocation, name).filter((text) => text.trim() !== '');
  const result = await closeMission(caller, {
    mission: invocation.args[1] ?? '',
    lessons: given('lesson'),
    specChanges: given('spec'),
    reason: textOf(invocation, 'reason') ?? '',
  });
  const { runId, mission } = granted(result);
  const learned = mission.contextUpdates.join(', ') || `nothing to learn: ${mission.enrichmentReason ?? ''}`;
  return print(invocation, missionJson(runId, mission), `closed     ${mission.id}: ${learned}\n`);
}
