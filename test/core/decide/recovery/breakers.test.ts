import { describe, expect, it } from 'vitest';
import { futility, halfLimit, restartBudget } from '../../../../src/core/decide/recovery/breakers.ts';
import { Story } from '../../story.ts';

const MINUTE = 60_000;
const tree = (name: string) => ({
  checkpoint: {
    number: Number(name.slice(1)),
    state: 'complete' as const,
    tree: name,
    commit: 'k',
    missing: [],
    reason: '',
  },
});
/** Fails and is started again that often; each life may leave a tree of its own. */
function restarted(
  story: Story,
  times: number,
  lifeMs = 1_000,
  leaves: (life: number) => string | null = () => null,
) {
  story.prepared().started();
  for (let life = 1; life <= times; life += 1) {
    story.now += lifeMs;
    const left = leaves(life);
    story
      .ended({}, left === null ? {} : tree(left))
      .waited()
      .started();
  }
  return story;
}

describe('the restart budget', () => {
  const policy = {
    restarts: 3,
    restart_window_ms: 10 * MINUTE,
    restarts_total: 5,
    futile_rescues: 99,
    backoff_ms: 1,
  };

  it('three in the window are the burst; when the window has passed, there is room again', () => {
    const story = restarted(new Story({ policy }), 3);
    expect(restartBudget(story.state, story.now)).toContain('3 restarts in 10 min');
    expect(restartBudget(story.state, story.now + 10 * MINUTE)).toBeNull();
    const two = restarted(new Story({ policy }), 2);
    expect(restartBudget(two.state, two.now)).toBeNull();
  });

  it('an attempt that was parked for long and died before its start was noted counts from its end', () => {
    const story = restarted(new Story({ policy: { ...policy, restarts: 1 } }), 0);
    story.ended().waited();
    // Planned long ago, started late, gone at once.
    story.now += 20 * MINUTE;
    story.ended();
    expect(restartBudget(story.state, story.now)).toContain('1 restart in');
  });

  it('a slow crash loop ends, too: the sustained budget knows no window', () => {
    const slow = { ...policy, restarts: 99, restarts_total: 3 };
    const story = restarted(new Story({ policy: slow }), 3, 60 * MINUTE);
    expect(restartBudget(story.state, story.now + 600 * MINUTE)).toContain('3 restarts in all');
  });

  it('an answer of a person forgives what was before it', () => {
    const story = restarted(new Story({ policy }), 3);
    const forgiven = { ...story.state, forgivenAt: story.now };
    expect(restartBudget(forgiven, story.now)).toBeNull();
  });
});

describe('futility', () => {
  const policy = { futile_rescues: 2, restarts: 99, restarts_total: 99, backoff_ms: 1 };

  it('is judged by what the rescues left behind', () => {
    expect(futility(restarted(new Story({ policy }), 2).state)).toContain(
      '2 rescues in a row left nothing new',
    );
    expect(futility(restarted(new Story({ policy }), 1).state)).toBeNull();
  });

  it('a new tree or seen progress ends the row; the same tree again does not', () => {
    const useful = restarted(new Story({ policy }), 3, 1_000, (life) => `t${life}`);
    useful.ended({}, tree('t9'));
    expect(futility(useful.state)).toBeNull();
    const same = restarted(new Story({ policy }), 3, 1_000, () => 't1').ended({}, tree('t1'));
    expect(futility(same.state)).not.toBeNull();
    const moving = restarted(new Story({ policy }), 2);
    moving.tell({ type: 'progress_observed', attempt: 3, kind: 'tree', detail: 'x' });
    expect(futility(moving.state)).toBeNull();
  });
});

describe('half of the time limit', () => {
  const policy = {
    timeout_ms: 60 * MINUTE,
    restarts: 99,
    restarts_total: 99,
    futile_rescues: 99,
    backoff_ms: 1,
  };

  it('a failed attempt that burnt it gets one more', () => {
    const once = new Story({ policy }).prepared().started();
    once.now += 31 * MINUTE;
    expect(halfLimit(once.ended().state)).toBeNull();
    once.waited().started();
    once.now += 31 * MINUTE;
    expect(halfLimit(once.ended().state)).toContain('one more is all');
  });

  it('short failures burn nothing', () => {
    expect(halfLimit(restarted(new Story({ policy }), 5, MINUTE).state)).toBeNull();
  });
});
