/** From a passed gate, or a person's word, to the end of the run. */
import { describe, expect, it } from 'vitest';
import { abandon, deliver, deliverWork, end } from '../../../src/core/decide/on-delivery.ts';
import { Turn } from '../../../src/core/decide/turn.ts';
import { openQuestion, type RunState, type WorkspaceFacts } from '../../../src/core/state/run-state.ts';
import { blocker } from '../../../src/core/vocabulary/blockers/blocker.ts';
import type { Blocker } from '../../../src/core/vocabulary/blockers/blocker-rule.ts';
import { blockerKey } from '../../../src/core/vocabulary/blockers/blocker-key.ts';
import type { Approval } from '../../../src/core/vocabulary/questions/approval.ts';
import { CHECKPOINT, EXAMINATION, START, Story } from '../story.ts';

const WORK = { ...EXAMINATION.partialWork, created: ['a.txt'] };
const DONE = { claimsDone: true, checkpoint: CHECKPOINT, partialWork: WORK };
const said = (code: Blocker['code']): Blocker => ({
  code,
  stage: 'materialize',
  returnsTo: 'materialize',
  source: 'said',
  said: ['the remote hung up'],
  resolutions: ['fix_sink', 'abandon'],
});

/** Its work passed the gate and is being delivered. */
function delivering(policy = {}, task = {}): Story {
  const story = new Story({ policy, task }).prepared().started().ended({ exitCode: 0 }, DONE);
  return story.checked('gate', 't1', true, ['a.txt']);
}

function turned(state: RunState, act: (turn: Turn) => void) {
  const turn = new Turn(state, { at: START });
  act(turn);
  return { turn, state: turn.state, commands: turn.commands.map(({ command }) => command) };
}

const approval = (more: Partial<Approval> = {}): Approval => ({
  id: 'r1.9.approval',
  question: 'r1-q1',
  option: 'waive_with_reason',
  by: 'ann',
  note: 'known',
  at: START,
  tree: 't1',
  attempt: 1,
  keys: [blockerKey(said('policy_violated'))],
  used: false,
  ...more,
});

describe('a delivery', () => {
  it('names the sink, the tree and when it was decided first', () => {
    const story = delivering();
    expect(story.last.commands.map(({ command }) => command)).toMatchObject([
      {
        type: 'deliver',
        tree: 't1',
        salvage: false,
        approved: [],
        decidedAt: story.now,
        sink: { name: 'mayday/r1' },
      },
    ]);
  });

  it('uses the approvals of its tree and attempt, and none to save abandoned work', () => {
    const { state } = delivering();
    const used = (more: Partial<Approval>, salvage: string | null = null) =>
      turned({ ...state, approvals: [approval(more)] }, (turn) => deliver(turn, 't1', false, salvage))
        .commands[0];
    expect(used({})).toMatchObject({ approved: [blockerKey(said('policy_violated'))] });
    expect(used({ tree: 't2' })).toMatchObject({ approved: [] });
    expect(used({ used: true })).toMatchObject({ approved: [] });
    expect(used({}, 'given up')).toMatchObject({
      approved: [],
      salvage: true,
      sink: { type: 'branch', name: 'mayday/r1-wip' },
    });
  });

  it('tried again is the same delivery: what it used it may use', () => {
    const { state } = delivering();
    const passed = { tree: 't1', unverified: false, decidedAt: 1, approvals: ['r1.9.approval'] };
    const again = (tree: string) =>
      turned(
        { ...state, approvals: [approval({ used: true })], delivery: { ...state.delivery, passed } },
        (turn) => deliver(turn, tree, false, null),
      ).commands[0];
    expect(again('t1')).toMatchObject({ approved: [blockerKey(said('policy_violated'))] });
    expect(again('t2')).toMatchObject({ approved: [] });
  });

  it('tells the sink which commit of the target the gate saw, where it saw one', () => {
    const { state } = delivering();
    const seen = (target?: string) =>
      turned(state, (turn) => deliver(turn, 't1', false, null, target)).commands[0];
    expect(seen('c7')).toMatchObject({ target: 'c7' });
    expect(seen()).not.toHaveProperty('target');
  });
});

describe('delivered work', () => {
  const arrived = { type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false } as const;
  const ending = (story: Story) => {
    story.tell(arrived);
    return story.state.life;
  };

  it('that every gate passed is green', () => {
    expect(ending(delivering())).toMatchObject({ state: 'delivered', reason: 'every gate passed' });
  });

  it('without a check is not', () => {
    expect(ending(delivering({}, { checks: [] }))).toMatchObject({
      state: 'unverified',
      reason: 'finished, but there was nothing to check with',
    });
  });

  it('that a person accepted says whose word it was', () => {
    const story = delivering({ restarts: 0 });
    story.state = {
      ...story.state,
      delivery: { ...story.state.delivery, accepted: { by: 'ann', note: 'good enough' } },
    };
    expect(ending(story)).toMatchObject({ state: 'delivered', reason: 'accepted by ann: good enough' });
  });

  it('names the approvals that it used for this tree, and calls a waived proof not proven', () => {
    const by = (more: Partial<Approval>) => {
      const story = delivering();
      story.state = { ...story.state, approvals: [approval({ used: true, ...more })] };
      return ending(story);
    };
    expect(by({})).toMatchObject({
      reason: 'not proven; the change breaks a policy of the repository (waived by ann: known)',
    });
    expect(by({ keys: [blockerKey(said('check_failed'))] })).toMatchObject({
      reason: 'not proven; a required check fails (waived by ann: known)',
    });
    expect(by({ tree: 't0' })).toMatchObject({ reason: 'every gate passed' });
    expect(by({ used: false })).toMatchObject({ reason: 'every gate passed' });
  });

  it('that lacks files says which', () => {
    const story = delivering();
    const missing = [{ path: 'big.bin', why: 'too large' }];
    story.state = {
      ...story.state,
      checkpoints: story.state.checkpoints.map((one) => ({ ...one, state: 'partial', missing })),
    };
    expect(ending(story)).toMatchObject({ reason: expect.stringContaining('; without big.bin') });
  });

  it('of an abandoned run keeps the reason and says where the work is', () => {
    const kept = (ref: string | null) => {
      const story = delivering();
      story.state = {
        ...story.state,
        life: { type: 'delivering', tree: 't1', unverified: false, salvage: 'given up' },
      };
      story.tell({ ...arrived, ref, salvage: true });
      return story.state.life;
    };
    expect(kept('mayday/r1-wip')).toMatchObject({
      state: 'abandoned',
      reason: 'given up; the work is kept on mayday/r1-wip',
    });
    expect(kept(null)).toMatchObject({ reason: 'given up; the work is kept' });
  });
});

describe('a sink that fails', () => {
  const fails = (story: Story, code: Blocker['code'] = 'delivery_failed') => {
    story.tell({ type: 'delivery_blocked', blocker: said(code) });
    return story;
  };

  it('for a moment is tried again as often as the policy says, then a person is asked', () => {
    const story = delivering({ delivery_retries: 2, backoff_ms: 1_000 });
    for (const most of [1_000, 2_000]) {
      fails(story);
      const until = story.state.life.type === 'waiting' ? (story.state.life.until ?? 0) : 0;
      expect(until - story.now).toBeGreaterThan(most * 0.79);
      expect(until - story.now).toBeLessThanOrEqual(most);
      expect(story.last.timers.set).toContainEqual({ name: 'retry', dueAt: until });
      expect(story.state.incidents.at(-1)?.recoveries.at(-1)).toMatchObject({
        strategy: 'wait',
        counted: false,
        notBefore: until,
      });
      story.waited();
      expect(story.commands()).toEqual(['deliver']);
    }
    fails(story);
    expect(openQuestion(story.state)?.question.kind).toBeDefined();
    expect(story.state.incidents).toHaveLength(1);
    expect(story.state.incidents[0]?.diagnosis?.rootCause).toBe(
      'the work is complete, but the sink failed: the remote hung up',
    );
  });

  it('for good is asked about at once', () => {
    const story = fails(delivering(), 'sink_drifted');
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
    expect(story.state.incidents[0]?.recoveries).toMatchObject([{ strategy: 'escalate' }]);
  });

  it('while abandoned work is saved ends the run, and names the checkpoint', () => {
    const story = delivering();
    story.state = {
      ...story.state,
      life: { type: 'delivering', tree: 't1', unverified: false, salvage: 'given up' },
    };
    expect(fails(story).state.life).toMatchObject({
      state: 'abandoned',
      reason: 'given up; the work is kept in checkpoint 1',
    });
  });

  it('after a person wanted the end ends the run', () => {
    const story = delivering();
    story.state = { ...story.state, asked: { stop: null, abandon: { by: 'ann', reason: '' } } };
    expect(fails(story).state.life).toMatchObject({ state: 'abandoned', reason: 'stopped for good by ann' });
  });

  it('because nothing changed is fine where a person said that nothing has to change', () => {
    const empty = blocker('empty_change', { source: 'gate' });
    const told = (more: Partial<Approval>) => {
      const story = delivering();
      story.state = {
        ...story.state,
        approvals: [approval({ used: true, keys: [blockerKey(empty)], ...more })],
      };
      story.tell({ type: 'delivery_blocked', blocker: empty });
      return story.state.life;
    };
    expect(told({})).toMatchObject({
      type: 'ended',
      state: 'delivered',
      reason: expect.stringContaining('nothing had to change'),
    });
    expect(told({ used: false })).toMatchObject({ type: 'waiting' });
    expect(told({ tree: 't0' })).toMatchObject({ type: 'waiting' });
    expect(told({ keys: [blockerKey(said('policy_violated'))] })).toMatchObject({ type: 'waiting' });
  });

  it('because the target moved asks the gate again, as often as the policy says', () => {
    const moved = (tries: number, more: Partial<RunState> = {}) => {
      const story = delivering({ delivery_retries: 2 });
      story.state = { ...story.state, ...more, delivery: { ...story.state.delivery, tries } };
      story.tell({ type: 'delivery_blocked', blocker: said('sink_drifted'), targetMoved: true });
      return story.commands();
    };
    expect(moved(1)).toEqual(['run_checks']);
    expect(moved(2)).toEqual([]);
    expect(moved(0, { asked: { stop: null, abandon: { by: 'ann', reason: '' } } })).toEqual(['release']);
  });
});

describe('work that a person wants as it is', () => {
  const { state } = new Story({ policy: { restarts: 0 } })
    .prepared()
    .started()
    .ended({}, { checkpoint: CHECKPOINT, partialWork: WORK });

  it('is delivered; without a check it is unverified unless it was accepted', () => {
    const wanted = (more: Partial<RunState>) => turned({ ...state, ...more }, deliverWork).state.life;
    expect(wanted({})).toMatchObject({ type: 'delivering', tree: 't1', unverified: false, salvage: null });
    const unchecked = { task: { ...state.task, checks: [] } };
    expect(wanted(unchecked)).toMatchObject({ unverified: true });
    expect(
      wanted({ ...unchecked, delivery: { ...state.delivery, accepted: { by: 'ann', note: '' } } }),
    ).toMatchObject({ unverified: false });
  });

  it('is asked about where nothing was changed', () => {
    const asked = turned({ ...state, checkpoints: [] }, deliverWork);
    expect(openQuestion(asked.state)?.question.kind).toBe('empty_change');
    expect(asked.commands).toEqual([]);
  });
});

describe('a run that is given up', () => {
  const { state } = new Story({ policy: { restarts: 0 } })
    .prepared()
    .started()
    .ended({}, { checkpoint: CHECKPOINT, partialWork: WORK });
  const given = (more: Partial<RunState>) =>
    turned({ ...state, ...more }, (turn) => abandon(turn, 'no hope')).commands[0]?.type;
  const none = { ...WORK, created: [] };

  it.each<[string, Partial<RunState>, string]>([
    ['with a new file', {}, 'deliver'],
    ['with a changed file', { partialWork: { ...none, changed: ['a'] } }, 'deliver'],
    ['with a deleted file', { partialWork: { ...none, deleted: ['a'] } }, 'deliver'],
    ['without work', { partialWork: none }, 'release'],
    [
      'in the person’s own folder',
      { workspace: { ...(state.workspace as WorkspaceFacts), kind: 'in-place' } },
      'release',
    ],
    [
      'while it is delivered',
      { life: { type: 'delivering', tree: 't1', unverified: false, salvage: null } },
      'release',
    ],
  ])('%s first does: %s', (_, more, command) => {
    expect(given(more)).toBe(command);
  });

  it('closes what is open, cancels every timer and lets the workspace go', () => {
    const { state: ended, turn, commands } = turned(state, (one) => end(one, 'abandoned', 'no hope'));
    expect(ended.incidents.map(({ outcome, proof }) => [outcome, proof])).toEqual([['abandoned', 'no hope']]);
    expect(turn.timers).toEqual({ set: [], cancel: ['retry', 'timeout', 'question', 'budget'] });
    expect(commands).toEqual([{ type: 'release' }]);
  });

  it('an incident is resolved by a delivery, unless a person waived it', () => {
    const outcome = (more: Partial<RunState>) =>
      turned({ ...state, ...more }, (turn) => end(turn, 'delivered', '')).state.incidents[0]?.outcome;
    expect(outcome({})).toBe('resolved');
    expect(outcome({ delivery: { ...state.delivery, accepted: { by: 'ann', note: '' } } })).toBe('abandoned');
    const waived = approval({ keys: [{ code: 'crashed', source: 'said', fields: {} }] });
    expect(outcome({ approvals: [waived] })).toBe('abandoned');
    const refused = state.incidents.map((one) => ({ ...one, class: 'false_success' as const }));
    expect(outcome({ incidents: refused })).toBe('resolved');
    const nothing = approval({ keys: [{ code: 'empty_change', source: 'gate', fields: {} }] });
    expect(outcome({ incidents: refused, approvals: [nothing] }), 'what the gate refused').toBe('abandoned');
  });
});
