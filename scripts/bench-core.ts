/** `npm run bench:core`: what deciding costs per event with many runs in memory, and what replaying a long journal costs. */
import type { Fact, RunEvent } from '../src/core/vocabulary/events/event.ts';
import type { RunState } from '../src/core/state/run-state.ts';
import { fold } from '../src/core/state/fold.ts';
import { step } from '../src/core/step.ts';
import { World } from '../test/simulation/world.ts';

const RUNS = 10_000;
const ROUNDS = 5;
const JOURNAL_EVENTS = 10_000;
/** The promises; the machine of the reader decides whether they hold there. */
const MAX_MICROSECONDS = 50;
const MAX_REPLAY_MS = 200;

export interface CoreBench {
  readonly microsecondsPerEvent: number;
  readonly replayMs: number;
}

export function benchCore(): CoreBench {
  return { microsecondsPerEvent: deciding(), replayMs: replaying() };
}

/** Runs as a simulated world left them half way, each asked to take its next facts. */
function deciding(): number {
  const states = manyStates();
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    let taken = 0;
    for (const state of states) {
      const at = state.updatedAt + 1;
      let now: RunState = state;
      for (const fact of nextFacts(state, at)) {
        now = step(now, fact)?.state ?? now;
        taken += 1;
      }
    }
    best = Math.min(best, (1000 * (performance.now() - begun)) / taken);
  }
  return best;
}

function manyStates(): readonly RunState[] {
  const states: RunState[] = [];
  for (let seed = 1; states.length < RUNS; seed += 1) {
    for (const { id, journal } of new World(seed).play().runs) {
      const half = fold(id, journal.slice(0, Math.ceil(journal.length / 2)));
      if (half !== null) for (let copy = 0; copy < 40; copy += 1) states.push(half);
    }
  }
  return states.slice(0, RUNS);
}

function nextFacts(state: RunState, at: number): readonly Fact[] {
  const attempt = state.attempts.length;
  const exit = { exitCode: 1, signal: null, outOfMemory: false, endedBy: 'itself' as const, exitedAt: at };
  return [
    { type: 'progress_observed', at, attempt, kind: 'tree', detail: 'changed' },
    { type: 'attempt_ended', at, attempt, exit },
    { type: 'timer_fired', at, name: 'retry' },
    { type: 'stop_requested', at, by: 'ann', reason: 'lunch' },
    { type: 'resume_requested', at, by: 'ann', note: '' },
  ];
}

/** The longest life a run may have: thousands of signals, checkpoints and usage reports over a few attempts. */
function replaying(): number {
  const run = new World(11).play().runs[0];
  if (run === undefined) return Number.NaN;
  const started = run.journal.findIndex(({ type }) => type === 'attempt_started');
  const many: RunEvent[] = Array.from({ length: JOURNAL_EVENTS - run.journal.length }, (_, index) => {
    const at = run.state.createdAt + index;
    return index % 2 === 0
      ? { type: 'progress_observed', at, attempt: 1, kind: 'tree', detail: 'changed' }
      : { type: 'timer_fired', at, name: 'nothing' };
  });
  const journal = [...run.journal.slice(0, started + 1), ...many, ...run.journal.slice(started + 1)];
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begun = performance.now();
    fold(run.id, journal);
    best = Math.min(best, performance.now() - begun);
  }
  return best;
}

if (import.meta.main) {
  const { microsecondsPerEvent, replayMs } = benchCore();
  console.log(
    `bench:core: deciding ${microsecondsPerEvent.toFixed(1)} µs per event at ${RUNS} runs (at most ${MAX_MICROSECONDS}), replay of ${JOURNAL_EVENTS} events ${replayMs.toFixed(0)} ms (at most ${MAX_REPLAY_MS})`,
  );
  process.exitCode = microsecondsPerEvent <= MAX_MICROSECONDS && replayMs <= MAX_REPLAY_MS ? 0 : 1;
}
