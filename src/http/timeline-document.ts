/**
 * `timelineDocument`: what the timeline of a run shows beyond its public document: its tool calls, counted in equal slices of time, and its
 * cost as it grew. The answer is bounded however long the run is. Keys are promised: add, never rename.
 */
import { existsSync } from 'node:fs';
import { transcriptPath } from '../act/run-files.ts';
import type { RunEvent } from '../core/vocabulary/events/event.ts';
import type { RunRecord } from '../record/contract.ts';
import { readTranscript } from '../record/transcript/read-transcript.ts';
import { readEvent } from '../supervise/run-journal.ts';

/** More slices than a wide screen has room for. */
const MAX_SLICES = 1_500;
/** So many points draw the same curve as all of them. */
const MAX_POINTS = 400;

/** A call moved the tree, failed, or neither. */
type CallKind = 'moved' | 'failed' | 'plain';

interface Call {
  readonly at: number;
  kind: CallKind;
}

export interface CallSlice {
  readonly at: number;
  readonly to: number;
  readonly moved: number;
  readonly failed: number;
  readonly plain: number;
}

export async function timelineDocument(
  home: string,
  record: RunRecord,
  runId: string,
  attempts: readonly number[],
) {
  const calls = (
    await Promise.all(attempts.map((number) => callsOf(transcriptPath(home, runId, number))))
  ).flat();
  const events = (await record.events(runId)).map(readEvent);
  return { calls: slices(calls), cost: thinned(costOf(events)) };
}

export type TimelineDocument = Awaited<ReturnType<typeof timelineDocument>>;

async function callsOf(path: string): Promise<readonly Call[]> {
  if (!existsSync(path)) return [];
  const calls: Call[] = [];
  const byId = new Map<string, Call>();
  for await (const { entry } of readTranscript(path)) {
    if (entry.type === 'tool_call') {
      const call: Call = { at: entry.at, kind: 'plain' };
      calls.push(call);
      byId.set(entry.id, call);
    } else if (entry.type === 'tool_result') {
      const call = byId.get(entry.id);
      if (call !== undefined && entry.isError) call.kind = 'failed';
      byId.delete(entry.id);
    } else if (entry.type === 'progress' && entry.kind === 'tree') {
      // Mayday looks at the tree from time to time: the last call before the look is the one that moved it, or close to it.
      const last = calls.at(-1);
      if (last?.kind === 'plain') last.kind = 'moved';
    }
  }
  return calls;
}

/** Few calls keep their own times; many share equal slices, in which none is lost. */
function slices(calls: readonly Call[]): readonly CallSlice[] {
  const times = calls.map(({ at }) => at);
  if (calls.length <= MAX_SLICES) return calls.map(({ at, kind }) => ({ at, to: at, ...NONE, [kind]: 1 }));
  const first = times.reduce((a, b) => Math.min(a, b));
  const last = times.reduce((a, b) => Math.max(a, b));
  const width = Math.max((last - first) / MAX_SLICES, 1);
  const found = new Map<number, Record<CallKind, number>>();
  for (const { at, kind } of calls) {
    const place = Math.min(Math.floor((at - first) / width), MAX_SLICES - 1);
    const slice = found.get(place) ?? { ...NONE };
    slice[kind] += 1;
    found.set(place, slice);
  }
  return [...found]
    .toSorted(([a], [b]) => a - b)
    .map(([place, counts]) => ({ at: first + place * width, to: first + (place + 1) * width, ...counts }));
}

const NONE: Record<CallKind, number> = { moved: 0, failed: 0, plain: 0 };

interface CostPoint {
  readonly at: number;
  readonly cost_usd: number;
}

/** The agents' own totals, added up over the attempts. */
function costOf(events: readonly RunEvent[]): readonly CostPoint[] {
  const byAttempt = new Map<number, number>();
  return events.flatMap((event) => {
    if (event.type !== 'usage_reported' || event.usage.costUsd === undefined) return [];
    byAttempt.set(event.attempt, Math.max(byAttempt.get(event.attempt) ?? 0, event.usage.costUsd));
    return [{ at: event.at, cost_usd: [...byAttempt.values()].reduce((a, b) => a + b, 0) }];
  });
}

function thinned(points: readonly CostPoint[]): readonly CostPoint[] {
  if (points.length <= MAX_POINTS) return points;
  const step = points.length / MAX_POINTS;
  const kept = Array.from(
    { length: MAX_POINTS },
    (_, index) => points[Math.floor(index * step)] as CostPoint,
  );
  return [...kept, points.at(-1) as CostPoint];
}
