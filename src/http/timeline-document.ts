/**
 * `timelineDocument`: what the timeline of a run shows beyond its public document: its tool calls, counted in equal slices of time, its
 * cost as it grew, and the ways that its incidents did not take. The answer is bounded however long the run is. Keys are promised: add,
 * never rename.
 */
import { transcriptPath } from '../act/run-files.ts';
import { notChosen } from '../core/decide/recovery/not-chosen.ts';
import { callKind } from '../core/detect/call-kind.ts';
import type { Attempt, RunState } from '../core/state/run-state.ts';
import { movedSpans } from '../core/view/run-line.ts';
import type { RunEvent } from '../core/vocabulary/events/event.ts';
import type { RunRecord } from '../record/contract.ts';
import { readTranscript } from '../record/transcript/read-transcript.ts';
import { readEvent } from '../supervise/load-state.ts';

/** More slices than a wide screen has room for. */
const MAX_SLICES = 1_500;
/** So many points draw the same curve as all of them. */
const MAX_POINTS = 400;

/** A call moved the tree, failed, or neither. */
type CallKind = 'moved' | 'failed' | 'plain';

interface Call {
  readonly at: number;
  readonly edits: boolean;
  failed: boolean;
}

interface ShownCall {
  readonly at: number;
  readonly kind: CallKind;
}

export interface CallSlice {
  readonly at: number;
  readonly to: number;
  readonly moved: number;
  readonly failed: number;
  readonly plain: number;
}

export async function timelineDocument(home: string, record: RunRecord, state: RunState) {
  const { runId, attempts, incidents } = state;
  const events = (await record.events(runId)).map(readEvent);
  const calls = (
    await Promise.all(
      attempts.map(async (attempt) =>
        shownCalls(
          await callsOf(transcriptPath(home, runId, attempt.number)),
          looksOf(state, attempt, events),
        ),
      ),
    )
  ).flat();
  return {
    calls: slices(calls),
    cost: thinned(costOf(events)),
    not_chosen: incidents.map((incident) => ({ incident: incident.id, ways: notChosen(state, incident) })),
  };
}

export type TimelineDocument = Awaited<ReturnType<typeof timelineDocument>>;

async function callsOf(path: string): Promise<readonly Call[]> {
  const calls: Call[] = [];
  const open = new Map<string, Call>();
  for await (const { entry } of readTranscript(path)) {
    if (entry.type === 'tool_call') {
      const call: Call = { at: entry.at, edits: callKind(entry.tool, entry.input) === 'edit', failed: false };
      calls.push(call);
      open.set(entry.id, call);
    } else if (entry.type === 'tool_result') {
      const call = open.get(entry.id);
      if (call !== undefined && entry.isError) call.failed = true;
      open.delete(entry.id);
    }
  }
  return calls;
}

function looksOf(state: RunState, attempt: Attempt, events: readonly RunEvent[]): readonly number[] {
  const seen = events.flatMap((event) =>
    event.type === 'progress_observed' && event.kind === 'tree' && event.attempt === attempt.number
      ? [event.at]
      : [],
  );
  // What moved between the last look and the end is seen by the checkpoint after it.
  const last = movedSpans(state, attempt).at(-1)?.to ?? 0;
  return last > (seen.at(-1) ?? 0) ? [...seen, last] : seen;
}

/** Mayday looks at the tree from time to time: the calls before the look that edit files moved it, or else the last one. */
function shownCalls(calls: readonly Call[], looks: readonly number[]): readonly ShownCall[] {
  const moved = new Set<Call>();
  let from = 0;
  for (const look of looks) {
    let end = from;
    while ((calls[end]?.at ?? Number.POSITIVE_INFINITY) <= look) end += 1;
    const before = calls.slice(from, end).filter(({ failed }) => !failed);
    const edits = before.filter((call) => call.edits);
    for (const call of edits.length > 0 ? edits : before.slice(-1)) moved.add(call);
    from = end;
  }
  return calls.map((call) => ({
    at: call.at,
    kind: moved.has(call) ? 'moved' : call.failed ? 'failed' : 'plain',
  }));
}

/** Few calls keep their own times; many share equal slices, in which none is lost. */
function slices(calls: readonly ShownCall[]): readonly CallSlice[] {
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
