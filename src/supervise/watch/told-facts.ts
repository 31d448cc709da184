/** `toldFacts`: collects what the detectors need at each tick besides what the processes do: output, budget, notes, tree. */
import { noteTime, readToldLines } from '../../act/attempt/agent-notes.ts';
import { agentFiles } from '../../act/run-files.ts';
import { retriesWithoutImprovement } from '../../core/decide/recovery/breakers.ts';
import type { BudgetFact } from '../../core/detect/tick.ts';
import { totalUsage } from '../../core/state/usage.ts';
import { workedMs } from '../../core/state/working-time.ts';
import type { ToldFacts } from './agent-watch.ts';
import type { TreeLook, WatchedAttempt } from './watched-attempt.ts';
import type { Fact } from '../../core/vocabulary/events/event.ts';

export function toldFacts(
  { state: stateOf, startedAt, handle, output }: WatchedAttempt,
  tree: TreeLook | null,
  at: number,
): ToldFacts {
  const state = stateOf();
  const { lastOutputAt, partialAt, openText, lastLine } = output;
  const used = totalUsage(state);
  const { budget, task } = state;
  const limit = (name: BudgetFact['name'], value: number, max: number | null) =>
    max === null ? [] : [{ name, used: value, limit: max }];
  const blockerAt = noteTime(agentFiles(handle.attemptDir).blocker);
  return {
    startedAt,
    lastOutputAt,
    ...(partialAt === null ? {} : { partialAt }),
    ...(openText === null ? {} : { openText }),
    lastLine,
    ...(blockerAt === null ? {} : { blockerAt }),
    ...(tree?.work === undefined ? {} : { work: tree.work }),
    ...(task.expectedMs === null ? {} : { expectedMs: task.expectedMs }),
    budgets: [
      ...limit('tokens', used.tokens, budget.tokens),
      ...limit('usd', used.costUsd, budget.usd),
      ...limit('turns', used.turns, budget.turns),
      ...limit('working time', workedMs(state, at), budget.wallClockMs),
    ],
    gatesFailing:
      state.checks.some((check) => check.purpose === 'gate') && state.checks.at(-1)?.passed === false,
    attemptsWithoutImprovement: retriesWithoutImprovement(state),
  };
}

/** What the agent of a live attempt told since the last look, as facts. */
export class ToldLines {
  readonly #watched: WatchedAttempt;
  #readAt: number | null = null;

  constructor(watched: WatchedAttempt) {
    this.#watched = watched;
  }

  /** The line number in the journal says how far it was read, also for a keeper that takes the run over. */
  read(): readonly Fact[] {
    const { attempt, handle, state, now } = this.#watched;
    const { notes } = agentFiles(handle.attemptDir);
    const changedAt = noteTime(notes);
    if (changedAt === null || changedAt === this.#readAt) return [];
    this.#readAt = changedAt;
    const heard =
      state()
        .attempts.find(({ number }) => number === attempt)
        ?.told.at(-1)?.line ?? 0;
    return readToldLines(notes, heard).map((told) => ({ type: 'agent_told', at: now(), attempt, ...told }));
  }
}
