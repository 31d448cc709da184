import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../../src/core/vocabulary/events/event.ts';
import { replayRun } from '../../../src/core/replay/replay-run.ts';
import type { Signal } from '../../../src/core/vocabulary/signal.ts';
import { World } from '../../simulation/world.ts';
import { crashedTwice, Told } from './told.ts';

const types = (lines: readonly { readonly type: string }[]) => lines.map(({ type }) => type);

const LOOP: Signal = {
  type: 'looping',
  severity: 'critical',
  reason: 'make: 3 times',
  sinceAt: 0,
  at: 0,
  evidence: [],
  confidence: 1,
  suggestedAction: 'stop',
};

describe('a journal replayed', () => {
  it('under its own policy gives the very decisions that were recorded, in every simulated world', () => {
    const first = Number(process.env['MAYDAY_SEED'] ?? 1 + Math.floor(Math.random() * 1e6));
    for (let seed = first; seed < first + 40; seed += 1) {
      for (const { id, journal } of new World(seed).play().runs) {
        const lines = JSON.parse(JSON.stringify(journal)) as RunEvent[];
        const [created] = lines;
        if (created?.type !== 'run_created') throw new Error('a journal begins with run_created');
        expect(replayRun(id, lines, { policy: created.policy }), `seed ${seed}, run ${id}`).toMatchObject({
          pauses: [],
          parting: null,
          unfit: null,
          drifted: [],
        });
      }
    }
  });

  it('parts where the other policy would have asked, and says that the next fact could not have happened', () => {
    const told = crashedTwice();
    expect(told.state.life).toMatchObject({ state: 'delivered' });
    const { parting, compared, turns } = told.replay({ restarts: 1 });
    expect(parting).toMatchObject({
      fact: 'attempt 2: examined',
      because: 'policy',
      next: { fact: 'the time of "retry" is over', fits: false },
    });
    expect(types(parting?.recorded ?? [])).toEqual(expect.arrayContaining(['recovery_decided', 'waiting']));
    expect(types(parting?.wouldBe ?? [])).toEqual(
      expect.arrayContaining(['recovery_decided', 'question_asked']),
    );
    expect(types(parting?.wouldBe ?? [])).not.toContain('waiting');
    expect(compared).toBeLessThan(turns);
  });

  it.each([
    ['longer', { backoff_ms: 60_000 }],
    ['shorter', { backoff_ms: 100 }],
    ['no', { backoff_ms: 0 }],
  ])('with %s pauses goes the same way to its end', (_, change) => {
    const { parting, unfit, pauses, compared, turns } = crashedTwice().replay(change);
    expect({ parting, unfit, compared }).toEqual({ parting: null, unfit: null, compared: turns });
    expect(pauses).toHaveLength(2);
  });

  it('that never paused goes the same way where the other policy would have paused', () => {
    const { parting, unfit, pauses } = crashedTwice({ backoff_ms: 0 }).replay({ backoff_ms: 5_000 });
    expect({ parting, unfit, pauses: pauses.length }).toEqual({ parting: null, unfit: null, pauses: 2 });
  });

  it('counts restarts in the window of the other policy', () => {
    const told = crashedTwice({ restarts: 2 });
    expect(told.replay({ restarts: 1 }).parting).not.toBeNull();
    const patient = { restarts: 1, backoff_ms: 60_000, backoff_max_ms: 60_000, restart_window_ms: 1_000 };
    expect(told.replay(patient).parting).toBeNull();
  });

  it('stops an attempt at a shorter time limit, with what the ladder would have done then', () => {
    const told = new Told();
    told.prepared().started();
    told.tell({ type: 'progress_observed', attempt: 1, kind: 'tree', detail: 'x' }, 3_600_000);
    const { parting } = told.replay({ timeout_ms: 60_000 });
    expect(parting).toMatchObject({ fact: 'the time of "timeout" is over', recorded: [] });
    expect(parting?.at).toBe((told.state.attempts[0]?.startedAt ?? 0) + 60_000);
    expect(types(parting?.wouldBe ?? [])).toEqual(['incident_opened', 'stop_decided']);
    expect(parting?.afterwards.find(({ type }) => type === 'recovery_decided')?.sends).toMatchObject({
      strategy: 'resume',
      phase: 1,
    });
  });

  it('does not stop at a time limit that the other policy does not have', () => {
    const told = new Told({ timeout_ms: 60_000 });
    told.prepared().started();
    told.tell({ type: 'timer_fired', name: 'timeout' });
    const { parting } = told.replay({ timeout_ms: 600_000 });
    expect(parting).toMatchObject({ wouldBe: [], because: 'policy' });
    expect(types(parting?.recorded ?? [])).toEqual(['incident_opened', 'stop_decided']);
  });

  it('raises an alarm that other thresholds would have raised, and leaves out one that they would not', () => {
    const quiet = new Told();
    quiet.prepared().started();
    const at = quiet.now + 500;
    quiet.tell({ type: 'progress_observed', attempt: 1, kind: 'tree', detail: 'x' });
    const added = { added: [{ ...LOOP, at }], dropped: () => false };
    const alarmed = quiet.replay({}, new Map([[1, added]]));
    expect(alarmed.parting).toMatchObject({ at, fact: 'attempt 1: looping (critical)', recorded: [] });

    const loud = new Told();
    loud.prepared().started();
    loud.tell({ type: 'signal_raised', attempt: 1, signal: LOOP });
    const spared = loud.replay({}, new Map([[1, { added: [], dropped: () => true }]]));
    expect(spared.parting).toMatchObject({ wouldBe: [] });
    expect(types(spared.parting?.recorded ?? [])).toContain('stop_decided');
  });

  it('tells a decision of another version from one of another policy', () => {
    const told = crashedTwice();
    const journal = told.journal.map((event) =>
      event.type === 'attempt_planned' && event.attempt === 2 ? { ...event, resume: !event.resume } : event,
    );
    const replayed = replayRun('r1', journal, { policy: told.state.policy });
    expect(replayed?.parting?.because).toBe('version');
    expect(replayed?.drifted).toEqual([replayed?.parting?.seq]);
  });

  it('passes over lines of a newer Mayday', () => {
    const told = crashedTwice();
    const journal = told.journal;
    journal.splice(8, 0, { type: 'aura_read', at: 1 } as never);
    expect(replayRun('r1', journal, { policy: told.state.policy })).toMatchObject({
      parting: null,
      unfit: null,
    });
  });

  it('is nothing where there is no run', () => {
    expect(replayRun('r1', [], { policy: new Told().state.policy })).toBeNull();
  });
});
