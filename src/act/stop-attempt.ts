/** Stopping an attempt: soft, TERM, KILL, each only after another look that it is still this attempt's process. */
import { findAdapter } from '../agents/registry.ts';
import { adapterName } from '../core/vocabulary/event.ts';
import type { ContainerHandle } from '../platform/container/container-handle.ts';
import { stopLadder } from '../platform/container/stop.ts';
import type { Act } from './act.ts';

export const stopAttempt: Act<'stop_attempt'> = async ({ state, signal, now }, command) => {
  const attempt = state.attempts.find(({ number }) => number === command.attempt);
  const { life, policy } = state;
  const stillMeant = life.type === 'stopping' && life.attempt === command.attempt;
  if (attempt === undefined || attempt.handle === null || attempt.endedAt !== null || !stillMeant) return [];
  const outcome = await stopLadder(attempt.handle as ContainerHandle, {
    softSignal: findAdapter(adapterName(attempt.agent))?.stop.signal ?? null,
    softMs: policy.stop_soft_ms,
    termMs: policy.stop_term_ms,
    killEveryMs: policy.stop_kill_every_ms,
    giveUpMs: policy.stop_give_up_ms,
    signal,
  });
  // The watch sees the end and reports it, here as everywhere.
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
