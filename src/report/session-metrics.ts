/**
 * `sessionMetrics`: a session that Mayday did not supervise, as a row of the metrics. It differs from a run in one way: its work was not
 * checked, so it never counts as delivered, and it was not resumed, so it has no time to unblock.
 */
import type { AgentSession } from '../agents/sessions/session-stores.ts';
import type { Autopsy } from '../core/detect/autopsy/autopsy.ts';
import { writeRunMetrics } from '../core/view/metrics-code.ts';
import type { IncidentMetrics, RunMetrics } from '../core/view/run-metrics.ts';
import type { MetricsRow } from '../record/contract/metrics.ts';
import { firstLine } from '../core/text/first-line.ts';

const MAX_TITLE_CHARS = 80;
const MAX_CAUSE_CHARS = 160;

/** Null: an empty session tells nothing. */
export function sessionMetrics(session: AgentSession, found: Autopsy): MetricsRow | null {
  const { facts, file, entries } = session;
  const times = entries.map(({ at }) => at).filter((at) => at > 0);
  if (entries.length === 0) return null;
  const created = times[0] ?? file.writtenAt;
  const ended = Math.max(created, times.at(-1) ?? file.writtenAt);
  const id = `session:${file.store}:${facts.sessionId ?? file.path}`;
  const { usage } = facts;
  const lost = found.state === 'stuck' || found.state === 'failed';
  const run: RunMetrics = {
    id,
    title: firstLine(found.task).slice(0, MAX_TITLE_CHARS),
    agent: file.store,
    model: facts.model,
    repository: facts.cwd ?? '',
    created,
    ended,
    state: lost ? 'abandoned' : 'unverified',
    size: null,
    files: 0,
    attempts: 1,
    tokens:
      usage === null
        ? 0
        : usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens,
    cost: usage?.costUsd ?? 0,
    stuckTokens: 0,
    stuckCost: 0,
    result: null,
    released: true,
    byWord: false,
    nudged: 0,
    recoveredAfterNudge: 0,
    recoveredAfterWarning: 0,
    workers: [],
    incidents: found.class === null ? [] : [incident(id, session, found, { created, ended, lost })],
    missions: [],
    shown: [],
    proposed: [],
    opinions: [],
  };
  return { id, repository: run.repository, at: created, imported: true, body: writeRunMetrics(run) };
}

function incident(
  id: string,
  { file }: AgentSession,
  found: Autopsy,
  { created, ended, lost }: { readonly created: number; readonly ended: number; readonly lost: boolean },
): IncidentMetrics {
  const signal = found.signals.find(({ severity }) => severity === 'critical') ?? found.signals[0];
  const began = Math.min(Math.max(signal?.sinceAt ?? signal?.at ?? ended, created), ended);
  return {
    id: `${id}-i1`,
    class: found.class ?? 'unknown',
    category: found.diagnosis?.category ?? null,
    fingerprint: found.diagnosis?.fingerprint ?? null,
    agent: file.store,
    attempt: 1,
    began,
    detected: Math.max(began, signal?.at ?? ended),
    diagnosed: null,
    decided: null,
    resumed: null,
    verified: null,
    phase: null,
    strategy: null,
    outcome: lost ? 'abandoned' : null,
    cause: (found.rootCause ?? '').slice(0, MAX_CAUSE_CHARS),
    end: null,
    hypotheses: 0,
    asked: false,
    again: 0,
  };
}
