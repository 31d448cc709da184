/** Runs from a seed: every state, class and gap that a report has to count, the same each time. */
import type { IncidentMetrics, RunMetrics } from '../../src/core/view/run-metrics.ts';
import { incidentMetrics, runMetrics } from './metrics-under-test.ts';

const CLASSES = [
  'interrupted',
  'timeout',
  'rate_limited',
  'overloaded',
  'git_conflict',
  'permission_denied',
  'unknown',
  'test_failure',
  'looping',
  'scope_exceeded',
];
const CATEGORIES = [
  'missing_context',
  'ambiguous_spec',
  'constraint_conflict',
  'capability_gap',
  'environment',
];
const AGENTS = ['claude', 'codex', 'gemini', 'opencode'];
const STATES = ['delivered', 'delivered', 'delivered', 'delivered', 'abandoned', 'unverified', 'working'];

export const DAY = 24 * 60 * 60 * 1000;

export function seededRuns(number: number, seed: number, from: number, days: number): RunMetrics[] {
  const next = mulberry(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)] as T;
  return Array.from({ length: number }, (_, index) => {
    const created = Math.floor(from + (index / number) * days * DAY);
    const state = pick(STATES);
    const files = Math.floor(next() * 12);
    const ended = state === 'working' ? null : created + Math.floor(next() * DAY);
    const agent = pick(AGENTS);
    const incidents = Array.from({ length: next() < 0.6 ? 0 : 1 + Math.floor(next() * 3) }, (__, at) =>
      incident(`r${index}-i${at + 1}`, agent, created, next, pick),
    );
    const mission = incidents.find(({ phase }) => phase === 4);
    return runMetrics({
      id: `r${index}`,
      agent,
      model: pick(['small', 'large', null]),
      repository: `/repo/${Math.floor(next() * 5)}`,
      created,
      ended,
      state,
      files,
      size: ended === null ? null : files < 5 ? 'simple' : 'complex',
      attempts: incidents.length + 1,
      tokens: Math.floor(next() * 1e6),
      cost: Math.floor(next() * 1000) / 100,
      stuckTokens: Math.floor(next() * 1e4),
      stuckCost: Math.floor(next() * 100) / 100,
      released: ended !== null && next() < 0.999,
      incidents,
      missions:
        mission === undefined
          ? []
          : [
              {
                id: `r${index}-m1`,
                incident: mission.id,
                owner: 'ann',
                category: mission.category,
                detected: mission.detected,
                resumed: mission.resumed,
                outcome: pick(['resolved', 're-escalated', null]),
                updates: Math.floor(next() * 2),
                enriched: next() < 0.5,
                due: created + Math.floor(next() * 60 * DAY),
              },
            ],
      proposed: next() < 0.1 ? [`lesson-${index}`] : [],
    });
  });
}

function incident(
  id: string,
  agent: string,
  created: number,
  next: () => number,
  pick: <T>(list: readonly T[]) => T,
): IncidentMetrics {
  const began = created + Math.floor(next() * 3_600_000);
  const detected = began + Math.floor(next() * 60_000);
  const diagnosed = next() < 0.95 ? detected + Math.floor(next() * 5_000) : null;
  const decided = diagnosed === null ? null : diagnosed + Math.floor(next() * 600_000);
  const resumed = decided !== null && next() < 0.9 ? decided + Math.floor(next() * 10_000) : null;
  const verified = resumed !== null && next() < 0.85 ? resumed + Math.floor(next() * 60_000) : null;
  const kind = pick(CLASSES);
  return incidentMetrics({
    id,
    class: kind,
    agent,
    category: next() < 0.98 ? pick(CATEGORIES) : null,
    fingerprint: next() < 0.7 ? `${kind}-${Math.floor(next() * 40)}` : `${kind}:observed`,
    began,
    detected,
    diagnosed,
    decided,
    resumed,
    verified,
    phase: pick([1, 2, 3, 4]),
    strategy: 'resume',
    outcome: verified === null ? pick(['re-escalated', 'abandoned', null]) : 'resolved',
    cause: next() < 0.99 ? `cause of ${kind}` : '',
    asked: next() < 0.3,
    hypotheses: next() < 0.1 ? 2 : 0,
  });
}

/** A small generator with a good spread; the tests need it to be the same everywhere. */
function mulberry(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
