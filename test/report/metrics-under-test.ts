import type { IncidentMetrics, RunMetrics } from '../../src/core/view/run-metrics.ts';

export function incidentMetrics(change: Partial<IncidentMetrics>): IncidentMetrics {
  return {
    id: 'i',
    class: 'test_failure',
    category: 'missing_context',
    fingerprint: null,
    agent: 'claude',
    attempt: 1,
    began: 0,
    detected: 0,
    diagnosed: null,
    decided: null,
    resumed: null,
    verified: null,
    phase: null,
    strategy: null,
    outcome: null,
    cause: '',
    end: null,
    hypotheses: 0,
    asked: false,
    again: 0,
    ...change,
  };
}

export function runMetrics(change: Partial<RunMetrics>): RunMetrics {
  return {
    id: 'r',
    title: 'task',
    agent: 'claude',
    model: null,
    repository: '/repo',
    created: 0,
    ended: 1,
    state: 'delivered',
    size: null,
    files: 1,
    attempts: 1,
    tokens: 0,
    cost: 0,
    stuckTokens: 0,
    stuckCost: 0,
    result: null,
    released: true,
    byWord: false,
    nudged: 0,
    recoveredAfterNudge: 0,
    recoveredAfterWarning: 0,
    workers: [],
    incidents: [],
    missions: [],
    shown: [],
    proposed: [],
    ...change,
  };
}
