import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/core/vocabulary/events/event.ts';
import { evolve } from '../../src/core/state/evolve.ts';
import type { RunState } from '../../src/core/state/run-state.ts';
import { fold } from '../../src/core/state/fold.ts';
import { Random } from './random.ts';
import type { SimulatedRun } from './simulated-run.ts';
import { World } from './world.ts';

const SEED = Number(process.env['MAYDAY_SEED'] ?? 1 + Math.floor(Math.random() * 1e6));
/** Some hundred journals, each looked at after every one of its turns. */
const WORLDS = 15;

function stories(): SimulatedRun[] {
  return Array.from({ length: WORLDS }, (_, index) => new World(SEED + index).play().runs).flat();
}

/** As it comes back from disk. */
function stored(journal: readonly RunEvent[]): RunEvent[] {
  return JSON.parse(JSON.stringify(journal)) as RunEvent[];
}

/** Names that are made of the place in the journal move with it. */
function withoutPlaces(state: RunState | null): unknown {
  if (state === null) return null;
  const { seq: _seq, updatedAt: _at, approvals: _approvals, ...rest } = state;
  const checks = rest.checks.map(({ ledgerId: _id, ...check }) => check);
  return { ...rest, checks, delivery: { ...rest.delivery, passed: null } };
}

describe(`journals of simulated runs (MAYDAY_SEED=${SEED})`, () => {
  it('read from disk and folded again give the state, at every cut', () => {
    for (const { id, journal, cuts } of stories()) {
      const events = stored(journal);
      let state: RunState | null = null;
      let read = 0;
      for (const cut of cuts) {
        for (; read < cut.events; read += 1) {
          const event = events[read] as RunEvent;
          state = state === null ? fold(id, [event]) : evolve(state, event);
        }
        expect(JSON.stringify(state), `${id} after ${cut.events} events`).toBe(JSON.stringify(cut.state));
      }
    }
  });

  it('keep lines of a newer Mayday in their place, and mean the same with them', () => {
    const random = new Random(SEED);
    for (const { id, journal } of stories()) {
      const lines = stored(journal).flatMap((event) =>
        random.chance(0.2) ? [event, { type: 'dreamt', at: event.at, of: 'sheep' } as never] : [event],
      );
      const state = fold(id, lines);
      expect(state?.seq).toBe(lines.length);
      expect(withoutPlaces(state)).toEqual(withoutPlaces(fold(id, journal)));
    }
  });
});
