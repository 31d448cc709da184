/**
 * `stopAttempt`: the act that stops an attempt with the agent's soft signal, then TERM, then KILL. Before each signal it checks that the
 * process is still that of the attempt. `nudgeAttempt`: the act that leaves a message for a working agent.
 */
import { findAdapter } from '../../agents/registry.ts';
import { adapterName } from '../../core/vocabulary/events/event.ts';
import type { ContainerHandle } from '../../platform/container/container-handle.ts';
import { stopLadder } from '../../platform/container/stop.ts';
import type { Act } from '../act.ts';
import { existsSync } from 'node:fs';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { agentFiles, attemptDir } from '../run-files.ts';

export const stopAttempt: Act<'stop_attempt'> = async ({ state, signal, now }, command) => {
  const attempt = state.attempts.find(({ number }) => number === command.attempt);
  const { life, policy } = state;
  const isStillAsked = life.type === 'stopping' && life.attempt === command.attempt;
  if (attempt === undefined || attempt.handle === null || attempt.endedAt !== null || !isStillAsked)
    return [];
  // A deadline is split between the two signals as the policy splits its own time.
  const { stop_soft_ms: softMs, stop_term_ms: termMs } = policy;
  const share = command.withinMs === undefined ? 1 : command.withinMs / Math.max(softMs + termMs, 1);
  const outcome = await stopLadder(attempt.handle as ContainerHandle, {
    softSignal: findAdapter(adapterName(attempt.agent))?.stopSignal ?? null,
    softMs: softMs * share,
    termMs: termMs * share,
    killEveryMs: policy.stop_kill_every_ms,
    giveUpMs: policy.stop_give_up_ms,
    signal,
  });
  // The watch of the attempt sees its end and reports it.
  if (outcome !== 'unkillable') return [];
  return [
    {
      type: 'attempt_unkillable',
      at: now(),
      attempt: command.attempt,
      evidence: ['still alive after repeated SIGKILL'],
    },
  ];
};

/** The agent may be another user. No other user sees the file in its folder. */
const READABLE = 0o644;

/** A hook of the agent takes the message with the next tool call. */
export const nudgeAttempt: Act<'nudge_attempt'> = async ({ home, state }, { attempt, text }) => {
  const { left, taken } = agentFiles(attemptDir(home, state.runId, attempt)).nudge;
  if (!existsSync(taken)) await writeFileDurably(left, JSON.stringify(text), { mode: READABLE });
  // The watch of the attempt sees that the message was taken, and reports it.
  return [];
};
