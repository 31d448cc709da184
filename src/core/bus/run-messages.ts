/** `busMessages`: what a run publishes on the bus: made of its journal only, and recorded in the same turn. */
import { isProven, notProven } from '../gates/delivery-proof.ts';
import { NOT_PROVEN } from '../vocabulary/proof.ts';
import type { RunEvent } from '../vocabulary/events/event.ts';
import { ruleOf } from '../vocabulary/classes/incident-class.ts';
import type { Attempt, RunState } from '../state/run-state.ts';
import { totalUsage } from '../state/usage.ts';
import type { BusTask } from './bus-task.ts';
import type { BusMessage, ResultStatus, Scoring, TaskStatus, TaskUpdate } from './bus-message.ts';

/** A line of the stream is read by people too. */
const MAX_REASON_CHARS = 500;

/** `state` is the state after the event. */
export function busMessages(event: RunEvent, state: RunState): readonly BusMessage[] {
  switch (event.type) {
    case 'run_created':
      return [update(state, 'PENDING')];
    case 'attempt_started':
      return [update(state, 'RUNNING')];
    case 'signal_raised':
      return event.signal.severity === 'critical' ? [critical(state, event.signal.reason)] : [];
    case 'stop_decided':
      return stopping(state, event);
    case 'attempt_unkillable':
      return [
        critical(state, 'the process does not die'),
        flagged(state, `the process does not die: ${event.evidence.join('; ')}`),
      ];
    case 'attempt_ended':
      return event.exit.endedBy === 'mayday' ? unresponsive(state) : [];
    case 'stopped':
    case 'waiting':
      return [update(state, 'PENDING', event.reason)];
    case 'question_asked':
      return [update(state, 'PENDING', `waits for a person: ${event.question.text}`)];
    case 'ended':
      return [ended(state, event.state, event.reason)];
    default:
      return [];
  }
}

export function takenTaskEnd({ agentId, taskId }: BusTask, state: RunState): TaskUpdate | null {
  if (state.life.type !== 'ended') return null;
  const { state: how, reason } = state.life;
  return { ...ended(state, how, reason), agent_id: agentId, task_id: taskId, run_id: state.runId };
}

export function agentIdOf({ runId, agent, attempts }: RunState): string {
  return `${(attempts.at(-1)?.agent ?? agent).name}@${runId}`;
}

function stopping(
  state: RunState,
  { why, by, withinMs }: Extract<RunEvent, { type: 'stop_decided' }>,
): readonly BusMessage[] {
  const { runId, policy, attempts } = state;
  const told = attempts.at(-1)?.signals.some(({ severity }) => severity === 'critical') === true;
  return [
    ...(by === 'person' || told ? [] : [critical(state, why)]),
    {
      type: 'STOP_AGENT',
      agent_id: agentIdOf(state),
      task_id: runId,
      reason: cut(why),
      deadline_ms: withinMs ?? policy.stop_soft_ms + policy.stop_term_ms,
    },
  ];
}

function unresponsive(state: RunState): readonly BusMessage[] {
  const attempt = state.attempts.at(-1);
  const incident = state.incidents.findLast((one) => one.attempt === attempt?.number);
  if (attempt === undefined || incident === undefined || ruleOf(incident.class).isSilence !== true) return [];
  return [flagged(state, `${incident.class} in attempt ${attempt.number}: ${lastWord(attempt)}`)];
}

function lastWord({ signals }: Attempt): string {
  return signals.findLast(({ severity }) => severity === 'critical')?.reason ?? 'stopped past its limit';
}

function ended(state: RunState, how: 'delivered' | 'unverified' | 'abandoned', reason: string): TaskUpdate {
  const { passed, total } = lastChecks(state);
  const isWhole = how === 'abandoned' && passed === total;
  const result: ResultStatus = isProven(state) ? 'SUCCESS' : isWhole ? 'FAILURE' : 'VALIDATION_ERROR';
  const status: TaskStatus = how === 'abandoned' ? 'FAILED' : 'COMPLETED';
  const why = how === 'abandoned' ? reason : `${NOT_PROVEN}: ${notProven(state).join('; ')}`;
  return {
    ...update(state, status, isProven(state) ? null : why),
    completed_at: new Date(state.updatedAt).toISOString(),
    result_status: result,
    scoring: scoring(state),
  };
}

function scoring(state: RunState): Scoring {
  const { passed, total } = lastChecks(state);
  const { tokens, costUsd } = totalUsage(state);
  return {
    checks_passed: passed,
    checks_total: total,
    attempts: state.attempts.length,
    tokens,
    cost_usd: costUsd,
    duration_ms: state.updatedAt - state.createdAt,
  };
}

function lastChecks({ checks, task }: RunState): { readonly passed: number; readonly total: number } {
  const gate = checks.filter(({ purpose }) => purpose === 'gate');
  const tree = gate.at(-1)?.tree;
  const words = new Map(
    gate
      .filter((check) => check.tree === tree)
      .map(({ command, variant, passed }) => [`${variant} ${command}`, passed]),
  );
  const passed = [...words.values()].filter(Boolean).length;
  return { passed, total: Math.max(words.size, task.checks.length) };
}

function update(state: RunState, status: TaskStatus, error: string | null = null): TaskUpdate {
  const startedAt = state.attempts.find((attempt) => attempt.startedAt !== null)?.startedAt ?? null;
  return {
    type: 'TASK_UPDATE',
    task_id: state.runId,
    agent_id: agentIdOf(state),
    status,
    error: error === null ? null : cut(error),
    started_at: startedAt === null ? null : new Date(startedAt).toISOString(),
    completed_at: null,
    result_status: null,
    scoring: null,
  };
}

function critical(state: RunState, reason: string): BusMessage {
  return { type: 'CRITICAL', agent_id: agentIdOf(state), task_id: state.runId, reason: cut(reason) };
}

function flagged(state: RunState, reason: string): BusMessage {
  return { type: 'AGENT_FLAGGED', agent_id: agentIdOf(state), reason: cut(reason) };
}

function cut(text: string): string {
  return text.length <= MAX_REASON_CHARS ? text : `${text.slice(0, MAX_REASON_CHARS - 1).toWellFormed()}…`;
}
