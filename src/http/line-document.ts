/** `lineDocument`, `MAX_SPANS`: what lists and the live stream say of a run. Keys are promised: add, never rename. */
import { readView } from '../core/view/read-view.ts';
import type { RunJson } from '../core/view/run-json.ts';

/** Rows that an older Mayday wrote lack the newer keys. */
type AttemptJson = RunJson['attempts'][number];
type StoredAttempt = Pick<AttemptJson, 'number' | 'started_at' | 'ended_at'> & Partial<AttemptJson>;
type Stored = Pick<
  RunJson,
  'run_id' | 'task' | 'agent' | 'state' | 'stage' | 'word' | 'proven' | 'not_proven'
> &
  Partial<Omit<RunJson, 'attempts'>> & { readonly attempts?: readonly StoredAttempt[] };

const MAX_TITLE = 120;
/** The line shows the latest ones; the page of the run shows all. */
export const MAX_SPANS = 60;
const MAX_CHECKPOINTS = 40;

export function lineDocument(view: string) {
  const run: Stored = readView({ view });
  const open = run.questions?.find(({ state }) => state === 'open');
  return {
    run_id: run.run_id,
    title: (run.task.split('\n').find((line) => line.trim() !== '') ?? '').trim().slice(0, MAX_TITLE),
    agent: run.agent,
    state: run.state,
    stage: run.stage,
    word: run.word,
    proven: run.proven,
    not_proven: run.not_proven,
    why: run.why ?? run.outcome_reason ?? run.next_step ?? '',
    /** Several things keep it, what decides first; empty: `why` tells the one. */
    why_parts: run.why_parts ?? [],
    note: run.note ?? '',
    limits: run.limits ?? [],
    created_at: run.created_at ?? null,
    updated_at: run.updated_at ?? null,
    progress_at: run.progress_at ?? null,
    question: open === undefined ? null : { id: open.id, kind: open.kind, asked_at: open.asked_at ?? null },
    attempts: (run.attempts ?? [])
      .slice(-MAX_SPANS)
      .map(({ number, started_at, ended_at, progress_at, moved = [], looks_every_ms = 0 }) => ({
        number,
        started_at,
        ended_at,
        progress_at: progress_at ?? null,
        moved,
        looks_every_ms,
      })),
    waits: (run.waits ?? []).slice(-MAX_SPANS),
    incidents: (run.incidents ?? [])
      .slice(-MAX_SPANS)
      .map(({ id, class: failure, detected_at, resumed_at, verified_at, outcome }) => ({
        id,
        class: failure,
        detected_at,
        resumed_at,
        verified_at,
        outcome,
      })),
    checkpoints: (run.checkpoints ?? [])
      .filter(({ state }) => state !== 'failed')
      .slice(-MAX_CHECKPOINTS)
      .map(({ number, at }) => ({ number, at })),
    cost_usd: run.usage?.cost_usd ?? 0,
    budget_usd: run.budget?.cost_usd ?? null,
    /** The run whose hold this one waits for. */
    waits_for: run.holds?.find(({ key }) => key === run.held_by)?.owner ?? null,
    cost_per_hour: run.usage?.cost_per_hour ?? null,
    delivered_to: run.delivered?.ref ?? null,
  };
}

export type LineDocument = ReturnType<typeof lineDocument>;
