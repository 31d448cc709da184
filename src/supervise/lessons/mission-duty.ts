/** `dutyOf`: finds the mission that proposed a lesson and still owes its enrichment. A person's decision on the lesson ends that duty. */
import type { Lesson } from '../../context/lesson.ts';
import type { RunRecord } from '../../record/contract.ts';
import { loadState } from '../load-state.ts';

export interface Duty {
  readonly runId: string;
  readonly mission: string;
}

export async function dutyOf(record: RunRecord, { learned }: Lesson): Promise<Duty | null> {
  const { run, incident } = learned;
  if (run === null || incident === null || (await record.row(run)) === null) return null;
  const state = await loadState(record, run);
  const mission = state.missions.find((made) => made.incident === incident && made.enrichedAt === null);
  return mission === undefined ? null : { runId: run, mission: mission.id };
}
