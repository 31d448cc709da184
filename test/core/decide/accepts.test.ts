/** Which facts a run takes in which life: whatever comes late, twice or about another attempt changes nothing. */
import { describe, expect, it } from 'vitest';
import { accepts } from '../../../src/core/decide/accepts.ts';
import type { Attempt, RunState } from '../../../src/core/state/run-state.ts';
import type { Fact } from '../../../src/core/vocabulary/events/event.ts';
import type { Life, Waiting } from '../../../src/core/vocabulary/life.ts';
import { MAX_FORGERIES } from '../../../src/core/vocabulary/events/word.ts';
import { ENDED, EXAMINATION, PREPARED, START, Story } from '../story.ts';

type Untimed<T> = T extends unknown ? Omit<T, 'at'> : never;

const WAITS: Waiting = {
  type: 'waiting',
  for: 'time',
  until: START,
  reason: '',
  question: null,
  failed: null,
};

/** Every life of a run whose first attempt has started. */
const LIVES = {
  queued: { type: 'queued' },
  preparing: { type: 'preparing' },
  working: { type: 'working', attempt: 1 },
  stopping: { type: 'stopping', attempt: 1, why: '', by: 'mayday' },
  examining: { type: 'examining', attempt: 1 },
  checking: { type: 'checking', tree: 't1' },
  delivering: { type: 'delivering', tree: 't1', unverified: false, salvage: null },
  pausing: WAITS,
  held: { ...WAITS, for: 'host', until: null },
  asking: { ...WAITS, for: 'person', until: null },
  stopped: { ...WAITS, for: 'person', until: null, stopped: { question: null } },
  ended: ENDED,
} as const satisfies Readonly<Record<string, Life>>;
type Name = keyof typeof LIVES;

const running = new Story().prepared().started().state;
const planned = new Story().prepared().state;

function takenIn(fact: Untimed<Fact>, from: RunState = running): Name[] {
  return (Object.keys(LIVES) as Name[]).filter((name) =>
    accepts({ ...from, life: LIVES[name] }, { ...fact, at: START } as Fact),
  );
}

const exit = { exitCode: 0, signal: null, outOfMemory: false, endedBy: 'itself', exitedAt: null } as const;
const signal = {
  type: 'looping',
  severity: 'critical',
  reason: '',
  sinceAt: 0,
  at: 0,
  atStep: 0,
  evidence: [],
  confidence: 1,
  suggestedAction: '',
  disproof: '',
} as const;
const notice = { key: 'k', kind: 'limit', until: null, reason: '', holder: 'r2' } as const;
const plan = {
  category: null,
  rootCause: null,
  evidence: [],
  injection: 'x',
  filesAdded: [],
  specChanges: [],
};
const moved = { type: 'work_rebased', baseCommit: 'c', baseTree: 't', conflicts: [] } as const;
const saved = { number: 1, state: 'complete', tree: 't1', commit: 'k', missing: [], reason: '' } as const;
const found = {
  code: 'empty_change',
  stage: 'compose',
  returnsTo: 'build',
  source: 'gate',
  resolutions: [],
} as never;
const checks = { type: 'checks_finished', results: [], changed: [] } as const;
const ann = { by: 'ann', note: '' } as const;

/** Nothing but the end of a run keeps these out. */
const ALIVE = (Object.keys(LIVES) as Name[]).filter((name) => name !== 'ended');

describe('a run whose agent has started takes', () => {
  it.each<[string, Untimed<Fact>, readonly Name[]]>([
    ['no second beginning', { type: 'work_begun', by: 'worker' }, ['queued']],
    ['the result of its gate', { ...checks, purpose: 'gate', tree: 't1' }, ['checking']],
    ['no result of another tree', { ...checks, purpose: 'gate', tree: 't2' }, []],
    ['a baseline only before the work', { ...checks, purpose: 'baseline', tree: 't0' }, ['preparing']],
    [
      'the end of its attempt',
      { type: 'attempt_ended', attempt: 1, exit },
      ['working', 'stopping', 'pausing', 'held', 'asking', 'stopped'],
    ],
    ['no end of another attempt', { type: 'attempt_ended', attempt: 2, exit }, []],
    ['a signal', { type: 'signal_raised', attempt: 1, signal }, ['working', 'stopping']],
    ['no signal of another attempt', { type: 'signal_raised', attempt: 2, signal }, []],
    [
      'that its process cannot be killed',
      { type: 'attempt_unkillable', attempt: 1, evidence: [] },
      ['working', 'stopping'],
    ],
    ['no second start', { type: 'attempt_started', attempt: 1 } as never, []],
    [
      'an examination once the attempt has ended',
      { type: 'attempt_examined', attempt: 1, examination: EXAMINATION },
      ['examining'],
    ],
    ['no examination of another attempt', { type: 'attempt_examined', attempt: 2 } as never, []],
    ['a person’s word that its agent is gone', { type: 'agent_declared_gone', attempt: 1, ...ann }, ALIVE],
    ['no such word about another attempt', { type: 'agent_declared_gone', attempt: 2, ...ann }, []],
    ['usage', { type: 'usage_reported', attempt: 1, usage: {} } as never, ALIVE],
    ['no usage of another attempt', { type: 'usage_reported', attempt: 2, usage: {} } as never, []],
    ['progress', { type: 'progress_observed', attempt: 1, kind: 'file', detail: '' }, ALIVE],
    ['what its agent tells', { type: 'agent_told', attempt: 1, line: 1 } as never, ALIVE],
    ['nothing that another agent tells', { type: 'agent_told', attempt: 2, line: 1 } as never, []],
    ['no nudge that was never given', { type: 'nudge_heard', attempt: 1 }, []],
    ['a split', { type: 'work_split', from: 't1', tree: 't2', left: [] }, ['checking']],
    ['a rebase', { ...moved, checkpoint: saved }, ['checking']],
    ['a delivery', { type: 'work_delivered', ref: null, files: [], salvage: false }, ['delivering']],
    ['a refused delivery', { type: 'delivery_blocked', blocker: found }, ['delivering']],
    [
      'a person’s resume',
      { type: 'resume_requested', ...ann },
      ['queued', 'pausing', 'held', 'asking', 'stopped'],
    ],
    [
      'a person’s stop',
      { type: 'stop_requested', by: 'ann', reason: '' },
      ALIVE.filter((name) => name !== 'stopped'),
    ],
    ['a person’s last word', { type: 'abandon_requested', by: 'ann', reason: '' }, ALIVE],
    [
      'a flag where no question is open and an agent may start',
      { type: 'flag_raised', by: 'ann', reason: 'x' },
      ['queued', 'preparing', 'working', 'examining', 'pausing', 'held'],
    ],
    [
      'a mission where there is something to rescue',
      { type: 'rescue_requested', by: 'ann', plan },
      ['working', 'stopping', 'examining', 'checking', 'pausing', 'held', 'asking', 'stopped'],
    ],
    [
      'a hold while no agent lives',
      { type: 'held', hold: notice, attempt: null },
      ['preparing', 'examining', 'checking', 'delivering', 'pausing', 'held', 'asking', 'stopped'],
    ],
    ['no hold for an attempt that has started', { type: 'held', hold: notice, attempt: 1 }, []],
    ['no end of a hold that it does not know', { type: 'hold_lifted', key: 'k', why: '' }, []],
    [
      'a shared cause while it pauses',
      { type: 'shared_cause_found', key: 'k', runs: [], cause: '' },
      ['pausing', 'held'],
    ],
    [
      'a failed command while it carries one out',
      { type: 'command_failed', command: 'deliver', code: 'E', message: '', advice: [] },
      ['queued', 'preparing', 'working', 'stopping', 'examining', 'checking', 'delivering'],
    ],
    [
      'a jump of the clock while it does something',
      { type: 'clock_jumped', sleptMs: 1, jumpedMs: 0 },
      ['queued', 'preparing', 'working', 'stopping', 'examining', 'checking', 'delivering'],
    ],
    ['a checkpoint', { type: 'checkpoint_taken', attempt: 1, checkpoint: saved }, ALIVE],
    ['lessons', { type: 'lessons_matched', lessons: [] }, ALIVE],
    [
      'a lesson of its own, also after its end',
      { type: 'lesson_proposed', lesson: 'l', title: '', incident: null },
      [...ALIVE, 'ended'],
    ],
    ['another keeper, also after its end', { type: 'taken_over', from: 'k', why: '' }, [...ALIVE, 'ended']],
    ['its release, also after its end', { type: 'released' }, [...ALIVE, 'ended']],
    ['its removal once it has ended', { type: 'run_removed', by: 'ann' }, ['ended']],
    ['no second workspace', { ...PREPARED }, []],
    [
      'the retry timer while it waits for no person',
      { type: 'timer_fired', name: 'retry' },
      ['pausing', 'held'],
    ],
    ['the time limit while an agent works', { type: 'timer_fired', name: 'timeout' }, ['working']],
    ['the nudge timer while an agent works', { type: 'timer_fired', name: 'nudge' }, ['working']],
    ['the budget timer while an agent works', { type: 'timer_fired', name: 'budget' }, ['working']],
    [
      'the deadline of a question while it asks',
      { type: 'timer_fired', name: 'question' },
      ['asking', 'stopped'],
    ],
    ['no timer without a name of ours', { type: 'timer_fired', name: 'other' }, []],
  ])('%s', (_, fact, lives) => {
    expect(takenIn(fact)).toEqual(lives);
  });
});

describe('a run whose attempt is planned and has not started takes', () => {
  it.each<[string, Untimed<Fact>, readonly Name[]]>([
    ['its start', { type: 'attempt_started', attempt: 1 } as never, ['working', 'stopping']],
    ['no start of another attempt', { type: 'attempt_started', attempt: 2 } as never, []],
    ['the hold that kept it from starting', { type: 'held', hold: notice, attempt: 1 }, ['working']],
    ['no hold for another attempt', { type: 'held', hold: notice, attempt: 2 }, []],
    [
      'a shared cause',
      { type: 'shared_cause_found', key: 'k', runs: [], cause: '' },
      ['working', 'pausing', 'held'],
    ],
    [
      'no end while it waits: nothing lives',
      { type: 'attempt_ended', attempt: 1, exit },
      ['working', 'stopping'],
    ],
  ])('%s', (_, fact, lives) => {
    expect(takenIn(fact, planned)).toEqual(lives);
  });
});

describe('what was taken is not taken twice', () => {
  const withLast = (more: Partial<Attempt>): RunState => ({
    ...running,
    attempts: running.attempts.map((attempt) => ({ ...attempt, ...more })),
  });
  const taken = (state: RunState, fact: Untimed<Fact>) => accepts(state, { ...fact, at: START } as Fact);

  it('a workspace, while the run has none', () => {
    const without = { ...running, workspace: null };
    expect(takenIn({ ...PREPARED }, without)).toEqual(['preparing']);
  });

  it('a baseline that is asked for at the gate, before the first attempt', () => {
    expect(takenIn({ ...checks, purpose: 'baseline', tree: 't0' }, { ...running, attempts: [] })).toEqual([
      'preparing',
      'checking',
    ]);
  });

  it('a nudge, until it was heard', () => {
    const nudge = { signal: 'looping', text: '', decidedAt: START, heardAt: null } as const;
    const heard = { type: 'nudge_heard', attempt: 1 } as const;
    expect(taken(withLast({ nudge }), heard)).toBe(true);
    expect(taken(withLast({ nudge }), { ...heard, attempt: 2 })).toBe(false);
    expect(taken(withLast({ nudge: { ...nudge, heardAt: START } }), heard)).toBe(false);
  });

  it('a line of the agent, in the order of its notes', () => {
    const state = withLast({ told: [{ line: 3 } as never] });
    const lines = [2, 3, 4].map((line) => taken(state, { type: 'agent_told', attempt: 1, line } as never));
    expect(lines).toEqual([false, false, true]);
  });

  it('a word that the agent is gone, until its end is known', () => {
    const gone = { type: 'agent_declared_gone', attempt: 1, ...ann } as const;
    expect(taken(withLast({ endedAt: START }), gone)).toBe(false);
  });

  it('a stop by a person; one of Mayday’s own may become a person’s', () => {
    const stop = { type: 'stop_requested', by: 'ann', reason: '' } as const;
    const stopping = (by: 'person' | 'mayday'): RunState => ({
      ...running,
      life: { type: 'stopping', attempt: 1, why: '', by },
    });
    expect([taken(stopping('mayday'), stop), taken(stopping('person'), stop)]).toEqual([true, false]);
  });

  it('the end of a hold that it knows', () => {
    const state = { ...running, holds: [notice] };
    expect(taken(state, { type: 'hold_lifted', key: 'k', why: '' })).toBe(true);
    expect(taken(state, { type: 'hold_lifted', key: 'other', why: '' })).toBe(false);
  });

  it('a removal', () => {
    expect(taken({ ...running, life: { ...ENDED, removed: true } }, { type: 'run_removed', by: 'ann' })).toBe(
      false,
    );
  });

  it('forgeries, up to as many as a journal keeps, also after the end', () => {
    const forgery = { type: 'forgery_refused' } as never;
    const many = (count: number): RunState => ({
      ...running,
      life: ENDED,
      forgeries: Array.from({ length: count }, () => ({}) as never),
    });
    expect([MAX_FORGERIES - 1, MAX_FORGERIES].map((count) => taken(many(count), forgery))).toEqual([
      true,
      false,
    ]);
  });
});

describe('what was learned from a mission', () => {
  const open = { id: 'm1', enrichedAt: null, outcome: 'resolved' } as never;
  const enriched = (more: object) =>
    ({
      type: 'mission_enriched',
      at: START,
      mission: 'm1',
      contextUpdates: ['L1'],
      reason: null,
      by: 'ann',
      ...more,
    }) as Fact;
  const owing = { ...running, missions: [open] };

  it('is taken once, in any life, if it says what or why not', () => {
    expect(takenIn(enriched({}) as never, owing)).toEqual([...ALIVE, 'ended']);
    expect(accepts(owing, enriched({ contextUpdates: [], reason: 'one of a kind' }))).toBe(true);
    expect(accepts(owing, enriched({ contextUpdates: [], reason: null }))).toBe(false);
    expect(accepts(owing, enriched({ mission: 'm2' }))).toBe(false);
    expect(
      accepts({ ...running, missions: [{ ...(open as object), enrichedAt: 1 } as never] }, enriched({})),
    ).toBe(false);
  });

  it('no second mission begins while one is open', () => {
    const busy = { ...running, missions: [{ ...(open as object), outcome: null } as never] };
    expect(takenIn({ type: 'rescue_requested', by: 'ann', plan }, busy)).toEqual([]);
  });
});
