/** `workedMs`, `workingTimeLeft`, `lostMs`: the working time of a run, without its waits and the sleep of the machine. */
import type { Attempt, ClockJump, RunState } from './run-state.ts';

export function workedMs({ attempts }: Pick<RunState, 'attempts'>, at: number): number {
  return attempts.reduce((sum, attempt) => sum + lifeMs(attempt, at), 0);
}

/** What is left of the budget of working time; null if there is no such budget. */
export function workingTimeLeft(state: RunState, at: number): number | null {
  const { wallClockMs } = state.budget;
  return wallClockMs === null ? null : Math.max(0, wallClockMs - workedMs(state, at));
}

/** The time that passed without the agent. A clock that was set back took none. */
export function lostMs(jumps: readonly ClockJump[]): number {
  return jumps.reduce((sum, { sleptMs, jumpedMs }) => sum + sleptMs + Math.max(0, jumpedMs), 0);
}

function lifeMs(attempt: Attempt, at: number): number {
  const { startedAt } = attempt;
  if (startedAt === null) return 0;
  return Math.max(0, (endOf(attempt) ?? at) - startedAt - lostMs(attempt.clockJumps));
}

/** An end that no process saw (a lost host) may be noted hours later. Such an attempt counts up to its last line in the journal. */
function endOf({ endedAt, endedBy, exitedAt, heardAt }: Attempt): number | null {
  if (endedAt === null) return null;
  if (exitedAt !== null) return exitedAt;
  return endedBy === 'unobserved' || endedBy === 'host' ? (heardAt ?? endedAt) : endedAt;
}
