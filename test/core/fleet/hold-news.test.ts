import { describe, expect, it } from 'vitest';
import { type Hold, placed } from '../../../src/core/vocabulary/hold.ts';
import { holdNews } from '../../../src/core/fleet/hold-news.ts';
import { Story } from '../story.ts';

const KEY = 'account:rehearsal:a1';
const hold = (change: Partial<Hold> = {}): Hold => ({
  ...placed(null, { key: KEY, kind: 'limit', until: 9_000_000, reason: 'limit', holder: 'r2', at: 1 }),
  ...change,
});
/** Told of the hold before its first start, and so parked. */
function parked(notice: Hold = hold()): Story {
  const story = new Story().prepared();
  const { key, kind, until, reason, holder } = notice;
  story.tell({ type: 'held', hold: { key, kind, until, reason, holder }, attempt: 1 });
  return story;
}
const news = ({ state }: Story, holds: readonly Hold[], now: number, starting: number | null = null) =>
  holdNews(state, [KEY], holds, now, starting);

describe('what a run is told', () => {
  it('a hold that concerns it, once, and again only when its end moves', () => {
    const story = new Story().prepared();
    expect(news(story, [hold()], 0, 1).facts).toMatchObject([{ type: 'held', attempt: 1 }]);
    expect(news(parked(), [hold()], 0).facts).toEqual([]);
    expect(news(parked(), [hold({ until: 9_500_000 })], 0).facts).toMatchObject([{ type: 'held' }]);
  });

  it('nothing of holds that are lifted, that do not concern it, or that a person overruled', () => {
    const story = new Story().prepared();
    expect(news(story, [hold({ liftedAt: 5 })], 10, 1).facts).toEqual([]);
    expect(news(story, [hold({ key: 'account:claude:other' })], 10, 1).facts).toEqual([]);
    const overruled = parked();
    overruled.tell({ type: 'resume_requested', by: 'ann', note: '' });
    expect(news(overruled, [hold()], overruled.now, 1).facts).toEqual([]);
  });

  it('who asks for all is not held by its own question', () => {
    expect(news(new Story().prepared(), [hold({ holder: 'r1', until: null })], 10, 1).facts).toEqual([]);
  });
});

describe('waking', () => {
  it('after health was observed runs wake spread over the stagger, each at a moment of its own', () => {
    const story = parked();
    const lifted = hold({ liftedAt: 1_000_000 });
    const { wake_stagger_ms } = story.state.policy;
    const at = (ms: number) => news(story, [lifted], 1_000_000 + ms).facts.length;
    expect(at(0)).toBe(0);
    expect(at(wake_stagger_ms)).toBe(1);
  });

  it('the run that met the cause first wakes first, at once: alone it meets nobody', () => {
    const own = hold({ holder: 'r1', until: null, kind: 'disk' });
    const lifted = { ...own, liftedAt: 1_000_000 };
    expect(news(parked(own), [lifted], 1_000_000).facts).toMatchObject([{ type: 'hold_lifted' }]);
  });

  it('nobody claims before the time; then one does, and the rest wait for what it sees', () => {
    const story = parked();
    expect(news(story, [hold()], 8_999_999)).toEqual({ facts: [], claim: null });
    expect(news(story, [hold()], 9_000_000).claim).toBe(KEY);
    const probing = hold({ probe: 'r3', probeUntil: 9_300_000 });
    expect(news(story, [probing], 9_000_001)).toEqual({ facts: [], claim: null });
    const ours = hold({ probe: 'r1', probeUntil: 9_300_000 });
    expect(news(story, [ours], 9_000_001).facts).toMatchObject([{ type: 'hold_lifted', key: KEY }]);
  });

  it('a run that something else holds too does not take the place of the probe', () => {
    const story = parked();
    story.tell({
      type: 'held',
      hold: { key: 'host:laptop', kind: 'network', until: 9_999_999, reason: '', holder: 'r3' },
      attempt: null,
    });
    const network = hold({ key: 'host:laptop', kind: 'network', until: 9_999_999, holder: 'r3' });
    expect(news(story, [hold(), network], 9_000_000).claim).toBeNull();
    expect(news(story, [hold(), network], 9_999_999).claim).toBe(KEY);
  });

  it('the fleet’s cap needs no probe: its time alone frees a place', () => {
    const cap = hold({ kind: 'fleet' });
    expect(news(parked(cap), [cap], 9_000_000).facts).toMatchObject([{ type: 'hold_lifted' }]);
  });
});
