/** `exitFacts`: returns how an attempt ended, for the journal: exit code, signal, and what ended it. */
import type { ExitFacts } from '../../core/vocabulary/events/event.ts';
import type { RunState } from '../../core/state/run-state.ts';
import type { Observation } from '../../platform/container/observe.ts';

export function exitFacts({ life }: RunState, exit: Observation['exit']): ExitFacts {
  const stoppedBy = life.type === 'stopping' ? life.by : null;
  if (exit === null)
    return {
      exitCode: null,
      signal: null,
      outOfMemory: false,
      endedBy: stoppedBy ?? 'unobserved',
      exitedAt: null,
    };
  return {
    exitCode: exit.exitCode,
    signal: exit.signal,
    outOfMemory: exit.oomKilled === true && stoppedBy === null,
    endedBy: stoppedBy ?? (exit.leaseEnded === true ? 'host' : 'itself'),
    exitedAt: Date.parse(exit.at),
  };
}
