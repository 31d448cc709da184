/** `mayday missions close`: a mission closes with a lesson, a changed specification, or the reason why neither; with nothing it stays open. */
import { type Mission, missionState } from '../core/mission.ts';
import type { RunState } from '../core/run-state.ts';
import { missionJson } from '../core/view/mission-json.ts';
import { usageError } from '../platform/mayday-error.ts';
import { assertPerson } from '../supervise/assert-person.ts';
import { findLesson } from '../supervise/lessons/lesson-desk.ts';
import { openLessonIndex } from '../supervise/lessons/lesson-index.ts';
import { loadState } from '../supervise/run-journal.ts';
import type { Invocation } from './command.ts';
import { userName } from './follow.ts';
import { speak } from './speak.ts';
import { findRun, type Opened } from './with-record.ts';

export async function closeMission(invocation: Invocation, opened: Opened): Promise<number> {
  const { args, options, env, json, stdout } = invocation;
  await assertPerson(opened, '`mayday missions close`');
  const { state, mission } = await findMission(opened, args[1] ?? '');
  refuse(mission);
  const lessons = await approved(opened, state, many(options['lesson']));
  const contextUpdates = [
    ...lessons.map((id) => `lesson ${id}`),
    ...many(options['spec']).map((change) => `spec: ${change}`),
  ];
  const told = typeof options['reason'] === 'string' ? options['reason'].trim() : '';
  if (contextUpdates.length === 0 && told === '')
    throw usageError('MISSION_OWES', `${mission.id} closes only with what was learned`, [
      ['do', 'say one of --lesson ID, --spec TEXT, or --reason TEXT why there was nothing to learn'],
      ['the mission', 'stays open; mayday sync lists it'],
    ]);
  const reason = told === '' ? null : told;
  const by = userName(env);
  const word = { type: 'mission_enriched' as const, mission: mission.id, contextUpdates, reason, by };
  const after = await speak(opened, state.runId, word, env);
  const closed = after.missions.find(({ id }) => id === mission.id) ?? mission;
  stdout.write(
    json
      ? `${JSON.stringify(missionJson(state.runId, closed))}\n`
      : `closed     ${mission.id}: ${contextUpdates.length > 0 ? contextUpdates.join(', ') : `nothing to learn: ${told}`}\n`,
  );
  return 0;
}

async function findMission(
  { record }: Opened,
  name: string,
): Promise<{ readonly state: RunState; readonly mission: Mission }> {
  const named = /^(.+)-m\d+$/.exec(name);
  const state = named?.[1] === undefined ? null : await loadState(record, await findRun(record, named[1]));
  const mission = state?.missions.find(({ id }) => id === name);
  if (state === null || mission === undefined)
    throw usageError('UNKNOWN_MISSION', `there is no mission ${JSON.stringify(name.slice(0, 80))}`, [
      ['do', 'mayday missions lists them'],
    ]);
  return { state, mission };
}

function refuse(mission: Mission): void {
  const state = missionState(mission);
  if (state === 'under_way')
    throw usageError('MISSION_UNDER_WAY', `${mission.id} by ${mission.owner} has no outcome yet`, [
      ['do', 'let the run go on; a mission closes after its outcome'],
    ]);
  if (state === 'closed')
    throw usageError('MISSION_CLOSED', `${mission.id} is closed already`, [['do', 'mayday missions']]);
}

/** What nobody has approved reaches no other agent, so it closes nothing. */
async function approved(
  { record }: Opened,
  { repository }: RunState,
  names: readonly string[],
): Promise<readonly string[]> {
  if (names.length === 0) return [];
  const { lessons } = await openLessonIndex(record, repository, Date.now());
  return names.map((name) => {
    const { lesson, standing } = findLesson(lessons, name);
    if (standing.status !== 'approved')
      throw usageError('LESSON_NOT_APPROVED', `${lesson.id} is ${standing.status}: ${standing.because}`, [
        ['do', `mayday context approve ${lesson.id}`],
      ]);
    return lesson.id;
  });
}

function many(value: Invocation['options'][string]): readonly string[] {
  return (Array.isArray(value) ? (value as readonly string[]) : []).filter((text) => text.trim() !== '');
}
