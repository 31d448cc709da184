/**
 * `LiveActs`: the last act of every working agent, read from the end of its transcript. A silent agent writes nothing into the journal, so
 * the change feed cannot tell it. One look serves all pages; it happens only while a page is open, and reads only what is new.
 */
import { transcriptPath } from '../act/run-files.ts';
import { type Activity, activityNext, NO_ACTIVITY } from '../core/view/activity.ts';
import { type AgentAct, actOf, type SilenceLimits } from '../core/view/agent-act.ts';
import { readView } from '../core/view/read-view.ts';
import type { RunRecord } from '../record/contract.ts';
import { readTranscriptFrom } from '../record/transcript/read-transcript.ts';
import { advanced, lastMark, type TranscriptMark } from '../record/transcript/transcript-index.ts';

/** A person does not follow a list faster. */
export const LOOK_AT_ACTS_MS = 1_000;
/** More agents than this do not work at once on one host; the others keep the sentence of the record. */
const MAX_WORKING = 100;

export type RunAct = AgentAct & { readonly run_id: string };

interface Followed {
  readonly changedAt: number;
  readonly attempt: number;
  readonly limits: SilenceLimits;
  mark: TranscriptMark;
  activity: Activity;
}

export class LiveActs {
  readonly #home: string;
  readonly #record: RunRecord;
  #followed = new Map<string, Followed>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #acts: Promise<readonly RunAct[]> = Promise.resolve([]);

  constructor(home: string, record: RunRecord) {
    this.#home = home;
    this.#record = record;
  }

  async all(): Promise<readonly RunAct[]> {
    if (performance.now() - this.#lookedAt >= LOOK_AT_ACTS_MS) {
      this.#lookedAt = performance.now();
      this.#acts = this.#look();
    }
    return await this.#acts;
  }

  async #look(): Promise<readonly RunAct[]> {
    const rows = await this.#record.rows({ state: 'working', limit: MAX_WORKING, withoutView: true });
    const before = this.#followed;
    this.#followed = new Map();
    const acts = await Promise.all(
      rows.map(async ({ runId, updatedAt }): Promise<readonly RunAct[]> => {
        const known = before.get(runId);
        const followed = known?.changedAt === updatedAt ? known : await this.#follow(runId, updatedAt, known);
        if (followed === null) return [];
        this.#followed.set(runId, followed);
        await this.#readOn(runId, followed);
        const { activity, attempt, limits, mark } = followed;
        const act = actOf(activity, attempt, limits, (mark.counts.session ?? 0) > 0);
        return activity.heardAt === 0 ? [] : [{ run_id: runId, ...act }];
      }),
    );
    return acts.flat();
  }

  /** Null: no attempt lives. */
  async #follow(runId: string, changedAt: number, known: Followed | undefined): Promise<Followed | null> {
    const row = await this.#record.row(runId);
    if (row === null) return null;
    const { silence_ms: limits = null, attempts } = readView(row) as Partial<ReturnType<typeof readView>>;
    const attempt = attempts?.at(-1)?.number;
    if (limits === null || attempt === undefined) return null;
    if (known?.attempt === attempt) return { ...known, changedAt, limits };
    const path = transcriptPath(this.#home, runId, attempt);
    // Only the end counts. After the last mark there may be no entry at all, so it is read from the mark before.
    const { entries: marked } = await lastMark(path, () => true);
    const mark = await lastMark(path, ({ entries }) => entries < marked);
    return { changedAt, attempt, limits, mark, activity: NO_ACTIVITY };
  }

  async #readOn(runId: string, followed: Followed): Promise<void> {
    const path = transcriptPath(this.#home, runId, followed.attempt);
    for await (const { entry, end } of readTranscriptFrom(path, followed.mark)) {
      followed.mark = advanced(followed.mark, entry, end);
      followed.activity = activityNext(followed.activity, entry);
    }
  }
}
