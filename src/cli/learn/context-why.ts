/** `contextWhy`: which lessons each brief of a run carried and why, and which would be chosen now (`mayday context why`). */
import type { MatchedLesson } from '../../core/vocabulary/lesson.ts';
import { openIncident } from '../../core/state/run-state.ts';
import { usageError } from '../../platform/mayday-error.ts';
import { packetFor } from '../../supervise/lessons/lessons-before.ts';
import { loadState, readEvent } from '../../supervise/load-state.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { plain } from '../render/plain.ts';
import { findRun, type Opened } from '../with-record.ts';

export async function contextWhy(invocation: Invocation, place: Opened): Promise<number> {
  const { record } = place;
  const name = invocation.args[1];
  if (name === undefined) throw usageError('WRONG_ARGUMENTS', 'context why takes RUN');
  const runId = await findRun(record, name);
  let fitting: readonly MatchedLesson[] = [];
  const attempts: { attempt: number; incident: string | null; lessons: readonly MatchedLesson[] }[] = [];
  for (const stored of await record.events(runId)) {
    const event = readEvent(stored);
    if (event.type === 'lessons_matched') fitting = event.lessons;
    if (event.type === 'attempt_planned') {
      const ids = new Set((event.lessons ?? []).map(({ id }) => id));
      const { attempt, incident } = event;
      attempts.push({ attempt, incident, lessons: fitting.filter(({ id }) => ids.has(id)) });
    }
  }
  const state = await loadState(record, runId);
  const now = await packetFor(
    place,
    state,
    openIncident(state) ?? state.incidents.at(-1) ?? null,
    Date.now(),
  );
  const json = ({ id, title, match, why, source, hash }: MatchedLesson) => ({
    id,
    title,
    match,
    why,
    source,
    hash,
  });
  const document = {
    run_id: runId,
    attempts: attempts.map((one) => ({ ...one, lessons: one.lessons.map(json) })),
    now: { lessons: now.lessons.map(json), left_out: now.leftOut },
  };
  const told = (lessons: readonly MatchedLesson[]) =>
    lessons.length === 0
      ? ['          no lesson']
      : lessons.map(
          ({ id, match, why, source }) => `          ${id}: ${match}, ${plain(why)} (${plain(source)})`,
        );
  const lines = [
    ...attempts.flatMap(({ attempt, lessons }) => [`attempt ${attempt}`, ...told(lessons)]),
    'chosen now',
    ...told(now.lessons),
    ...now.leftOut.map(({ id, why }) => `          left out ${id}: ${why}`),
  ];
  return print(invocation, document, `${lines.join('\n')}\n`);
}
