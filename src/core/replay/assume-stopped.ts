/** `assumeStopped`: what the ladder does when an attempt would have been stopped, if it ends as told and does nothing more. */
import type { Decision, Examination } from '../vocabulary/events/event.ts';
import { currentAttempt, type RunState } from '../state/run-state.ts';
import { step } from '../step.ts';

export function assumeStopped(state: RunState): readonly Decision[] {
  if (state.life.type !== 'stopping') return [];
  const { attempt } = state.life;
  const at = state.updatedAt;
  const exit = {
    exitCode: null,
    signal: 'SIGTERM',
    outOfMemory: false,
    endedBy: state.life.by,
    exitedAt: at,
  };
  const ended = step(state, { type: 'attempt_ended', at, attempt, exit });
  if (ended === null) return [];
  const examined = step(ended.state, {
    type: 'attempt_examined',
    at,
    attempt,
    examination: examinationOf(ended.state),
  });
  return [...ended.decisions, ...(examined?.decisions ?? [])];
}

function examinationOf(state: RunState): Examination {
  return {
    claimsDone: false,
    claim: null,
    diagnosis: null,
    partialWork: state.partialWork,
    checkpoint: null,
    inFlight: null,
    repeated: [],
    deniedTools: [],
    agentSession: currentAttempt(state)?.agentSession ?? null,
    raised: null,
    configChanged: [],
    unknownLines: 0,
  };
}
