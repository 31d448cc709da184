/** The one place where an attempt is planned: what it refuses, whose conversation goes on, and what the agent is told. */
import { describe, expect, it } from 'vitest';
import { planAttempt } from '../../../src/core/decide/plan-attempt.ts';
import { recovery } from '../../../src/core/decide/recovery/incident.ts';
import { Turn } from '../../../src/core/decide/turn.ts';
import { openQuestion, type Attempt, type RunState } from '../../../src/core/state/run-state.ts';
import type { Recovery } from '../../../src/core/vocabulary/events/event.ts';
import type { HoldKind, HoldNotice } from '../../../src/core/vocabulary/hold.ts';
import type { Waiting } from '../../../src/core/vocabulary/life.ts';
import { EXAMINATION, START, Story } from '../story.ts';

const WAITS: Waiting = {
  type: 'waiting',
  for: 'time',
  until: null,
  reason: '',
  question: null,
  failed: null,
};
const paused = new Story().prepared().started().ended({}, { agentSession: 's1' }).state;
const [first] = paused.attempts as [Attempt];
const way = (more: Partial<Recovery> = {}) =>
  recovery({ strategy: 'resume', phase: 1, returnTo: null, reason: '', ...more });
const notice = (kind: HoldKind, more: Partial<HoldNotice> = {}): HoldNotice => ({
  key: `k-${kind}`,
  kind,
  until: 9,
  reason: 'it is held',
  holder: 'r2',
  ...more,
});

function planned(state: RunState, chosen: Recovery | null = way(), note: string | null = null) {
  const turn = new Turn(state, { at: START });
  planAttempt(turn, chosen, note);
  return {
    turn,
    state: turn.state,
    commands: turn.commands.map(({ command }) => command),
    types: turn.commands.map(({ command }) => command.type),
  };
}

describe('no attempt is planned', () => {
  it('beside a process that may live: that is stopped first', () => {
    const living = { ...paused, attempts: [{ ...first, endedAt: null }] };
    const { types, state } = planned(living);
    expect(types).toEqual(['stop_attempt']);
    expect(state.attempts).toHaveLength(1);
  });

  it('after a person’s stop', () => {
    const { types, state } = planned({
      ...paused,
      asked: { stop: { by: 'ann', reason: 'lunch' }, abandon: null },
    });
    expect(types).toEqual([]);
    expect(state.life).toMatchObject({ reason: 'stopped by ann: lunch' });
  });

  it('before a flag was asked about', () => {
    const flag = { by: 'ann', reason: 'which store?', at: START };
    const { types, state } = planned({ ...paused, asked: { stop: null, abandon: null, flag } });
    expect(types).toEqual([]);
    expect(openQuestion(state)?.question.kind).toBe('flag');
  });

  it('over work that nobody looked at: that is saved first', () => {
    const { commands, state } = planned({ ...paused, attempts: [{ ...first, examination: null }] });
    expect(commands).toEqual([{ type: 'examine_attempt', attempt: 1, cause: null }]);
    expect(state.life).toEqual({ type: 'examining', attempt: 1 });
  });
});

describe('the conversation of the agent', () => {
  const starts = (state: RunState, chosen: Recovery | null) => planned(state, chosen).commands[0];

  it('goes on with the same agent', () => {
    expect(starts(paused, way())).toMatchObject({ type: 'start_attempt', attempt: 2, resume: 's1' });
    expect(starts(paused, null)).toMatchObject({ resume: 's1' });
  });

  it('begins anew where the recovery says so, or where there was none', () => {
    expect(starts(paused, way({ freshSession: true }))).toMatchObject({ resume: null });
    expect(starts({ ...paused, attempts: [{ ...first, agentSession: null }] }, way())).toMatchObject({
      resume: null,
    });
  });

  it('begins anew with another agent, which does not understand it', () => {
    const agent = { name: 'codex', command: [], model: null };
    expect(starts(paused, way({ agent }))).toMatchObject({ agent, resume: null });
  });

  it('stays with the agent that took over', () => {
    const agent = { name: 'codex', command: [], model: null };
    const took = { ...paused, attempts: [first, { ...first, number: 2, agent, agentSession: 's2' }] };
    expect(starts(took, way())).toMatchObject({ attempt: 3, agent, resume: 's2' });
  });

  it('that the model refused is mended on a copy; another failure mends nothing', () => {
    const refused = paused.incidents.map((one) => ({ ...one, class: 'session_corrupt' as const }));
    const fresh = way({ freshSession: true });
    expect(starts({ ...paused, incidents: refused }, fresh)).toMatchObject({ mend: 's1', resume: null });
    expect(starts({ ...paused, incidents: refused }, way())).not.toHaveProperty('mend');
    expect(starts(paused, fresh)).not.toHaveProperty('mend');
  });
});

describe('a planned attempt', () => {
  it('says for which incident it is, whether it counts, and which lessons it shows', () => {
    const lesson = {
      id: 'l1',
      hash: 'h',
      match: 'class',
      title: '',
      guidance: 'g',
      source: '',
      why: '',
      fingerprints: [],
      classes: [],
    };
    const { state, turn } = planned({ ...paused, lessons: [lesson as never] }, way({ counted: true }));
    expect(state.attempts.at(-1)).toMatchObject({
      number: 2,
      incident: paused.incidents[0]?.id,
      counted: true,
      resumed: true,
      lessons: [{ id: 'l1', hash: 'h', match: 'class' }],
    });
    expect(turn.timers.cancel).toContain('retry');
    expect(planned(paused, null).state.attempts.at(-1)).toMatchObject({ counted: false });
    expect(planned({ ...paused, incidents: [] }, null).state.attempts.at(-1)?.incident).toBeNull();
  });

  it('tells the person’s words; without them the hint of the recovery', () => {
    const brief = (chosen: Recovery | null, note: string | null) =>
      planned(paused, chosen, note).state.attempts.at(-1)?.brief;
    expect(brief(way({ hint: 'mind the lock' }), null)).toContain('mind the lock');
    expect(brief(way({ hint: 'mind the lock' }), 'use Postgres')).toContain('use Postgres');
    expect(brief(way({ hint: 'mind the lock' }), 'use Postgres')).not.toContain('mind the lock');
  });

  it('tells a mission that waits to be injected, once, beside the person’s note', () => {
    const plan = {
      category: null,
      rootCause: null,
      evidence: [],
      injection: 'the vault is at v1',
      filesAdded: [],
      specChanges: [],
    };
    const mission = { id: 'm', outcome: null, injectedAt: null, resumedAt: null, plan } as never;
    const brief = (note: string | null, missions = [mission]) =>
      planned({ ...paused, missions }, way(), note).state.attempts.at(-1)?.brief ?? '';
    const times = (text: string) => text.split('the vault is at v1').length - 1;
    const without = times(brief(null, []));
    expect(times(brief(null))).toBeGreaterThan(without);
    expect(times(brief('the vault is at v1'))).toBe(times(brief(null)));
    expect(brief('be quick')).toContain('be quick');
    expect(brief('be quick')).toContain('the vault is at v1');
    const injected = { ...(mission as object), injectedAt: START - 1 } as never;
    expect(brief('be quick', [injected])).not.toContain('be quick\n\nthe vault');
  });

  it('of an exploring run is told to look and to change nothing, with what else there is to tell', () => {
    const brief = (explore: RunState['explore'], note: string | null) =>
      planned({ ...paused, explore }, null, note).state.attempts.at(-1)?.brief ?? '';
    expect(brief('looking', null)).toContain('Do not change any file yet');
    expect(brief('looking', 'begin in db')).toMatch(/Do not change any file yet[^]*begin in db/);
    expect(brief('confirmed', null)).not.toContain('Do not change any file yet');
  });
});

describe('a hold', () => {
  it.each<[HoldKind, 'time' | 'host']>([
    ['limit', 'time'],
    ['fleet', 'time'],
    ['overload', 'time'],
    ['login', 'host'],
    ['network', 'host'],
    ['disk', 'host'],
    ['shared_cause', 'host'],
  ])('(%s) parks the planned attempt: it waits for %s', (kind, waits) => {
    const { types, state } = planned({ ...paused, holds: [notice(kind)] });
    expect(types).toEqual([]);
    expect(state.attempts).toHaveLength(2);
    expect(state.life).toMatchObject({ type: 'waiting', for: waits, until: 9, reason: 'it is held' });
  });

  it('of a full disk is asked about by the run that saw it, once', () => {
    const asks = (more: Partial<HoldNotice>, from: RunState = paused) =>
      openQuestion(planned({ ...from, holds: [notice('disk', more)] }).state)?.question;
    expect(asks({ holder: 'r1' })).toMatchObject({ kind: 'disk_low', recommended: null });
    expect(asks({ holder: 'r1' })?.text).toContain(
      `${Math.round(paused.policy.disk_free_bytes / 1024 ** 2)} MB`,
    );
    expect(asks({ holder: 'r2' })).toBeUndefined();
    const login = planned({ ...paused, holds: [notice('login', { holder: 'r1' })] });
    expect(openQuestion(login.state)).toBeUndefined();
  });

  it('lets the parked attempt start as it was planned when it is over, and not before the last one is', () => {
    const story = new Story().prepared().started().ended({}, { agentSession: 's1' });
    story.tell({ type: 'held', hold: notice('limit', { until: story.now + 9 }), attempt: null });
    story.tell({ type: 'held', hold: notice('network', { until: null }), attempt: null });
    story.waited();
    expect(story.commands()).toEqual([]);
    const brief = story.state.attempts.at(-1)?.brief;
    story.tell({ type: 'hold_lifted', key: 'k-limit', why: 'over' });
    expect(story.commands()).toEqual([]);
    story.tell({ type: 'hold_lifted', key: 'k-network', why: 'over' });
    expect(story.last.commands.map(({ command }) => command)).toMatchObject([
      { type: 'start_attempt', attempt: 2, resume: 's1', brief },
    ]);
    expect(story.last.timers.cancel).toEqual(expect.arrayContaining(['retry', 'question']));
    expect(story.state.attempts).toHaveLength(2);
  });

  it('does not give a parked attempt that begins anew the old conversation', () => {
    const story = new Story().prepared().started();
    const session = 'session_corrupt' as const;
    story.state = { ...story.state, holds: [notice('limit')] };
    story.ended({}, { agentSession: 's1' });
    const parked = {
      ...story.state.attempts[0],
      number: 2,
      startedAt: null,
      endedAt: null,
      examination: null,
    };
    const waiting: RunState = {
      ...paused,
      attempts: [first, { ...first, ...parked, resumed: false } as Attempt],
      holds: [notice('limit')],
      life: WAITS,
      incidents: paused.incidents.map((one) => ({ ...one, class: session })),
    };
    story.state = waiting;
    story.tell({ type: 'hold_lifted', key: 'k-limit', why: 'over' });
    expect(story.last.commands.map(({ command }) => command)).toMatchObject([
      { type: 'start_attempt', resume: null },
    ]);
  });

  it('is planned again under the same number when the attempt was parked', () => {
    const parked = {
      ...first,
      number: 2,
      startedAt: null,
      endedAt: null,
      examination: null,
      agentSession: null,
    };
    const waiting = { ...paused, life: WAITS, attempts: [{ ...first, examination: EXAMINATION }, parked] };
    expect(planned(waiting).commands).toMatchObject([{ type: 'start_attempt', attempt: 2, resume: 's1' }]);
  });
});
