/** What a hold says of the runs that wait for it, and what a release would do. */
import { expect, it } from 'vitest';
import { holdJson } from '../../src/report/hold-json.ts';
import type { ActiveHold } from '../../src/supervise/active-holds.ts';

const NOW = Date.parse('2026-11-17T15:37:15Z');
const LOGIN = { key: 'login:claude:0123456789abcdef', kind: 'login' } as const;
const time = (at: number) => new Date(at).toISOString().slice(11, 19);

function overload(waiting: readonly string[], staying: ActiveHold['staying'] = []) {
  const hold = {
    key: 'model:claude:default:0123456789abcdef',
    kind: 'overload',
    until: NOW + 157_000,
    reason: 'the model is overloaded',
    since: NOW - 50_000,
    holder: 'txp5',
    probe: null,
    probeUntil: null,
    liftedAt: null,
  } as const;
  return holdJson({ id: 'overload-1a2b', hold, waiting, staying, question: null }, NOW, time);
}

it('promises no start where no run waits', () => {
  expect(overload([]).release).toBe(
    'no run waits for it: a release starts none, and the next may start at once',
  );
});

it('counts the runs that a release starts', () => {
  expect(overload(['a1c0', 'b2d1']).release).toBe(
    'a release starts 2 runs at once, whether or not the cause is over',
  );
});

it('names the runs that stay, and what each of them waits for then', () => {
  const { staying, release } = overload(
    ['a1c0', 'txp5'],
    [{ runId: 'txp5', holds: [LOGIN], pauseUntil: NOW + 157_000 }],
  );
  expect(staying).toEqual([{ run: 'txp5', waits: 'the login of claude and its own pause until 15:39:52' }]);
  expect(release).toBe(
    'a release starts 1 run at once, whether or not the cause is over; ' +
      'txp5 still waits for the login of claude and its own pause until 15:39:52',
  );
  const two = ['a1c0', 'b2d1'].map((runId) => ({ runId, holds: [LOGIN], pauseUntil: null }));
  expect(overload(['a1c0', 'b2d1'], two).release, 'who waits for the same is told together').toBe(
    'a release ends only this hold and starts no run at once; a1c0, b2d1 still wait for the login of claude',
  );
  expect(overload(['txp5'], [{ runId: 'txp5', holds: [LOGIN], pauseUntil: null }]).release).toBe(
    'a release ends only this hold and starts no run at once; txp5 still waits for the login of claude',
  );
});

it('counts down to a try only where one will be made', () => {
  const held = { runId: 'a1c0', holds: [LOGIN], pauseUntil: null };
  expect(overload(['a1c0', 'b2d1'], [held]).tries_at).toBe(new Date(NOW + 157_000).toISOString());
  expect(overload(['a1c0'], [held]).tries_at).toBeNull();
});

it('promises a try only where a run is free to make it', () => {
  const held = (runId: string) => ({ runId, holds: [LOGIN], pauseUntil: null });
  expect(overload(['a1c0', 'b2d1'], [held('a1c0')]).ends).toBe('until 15:39:52, then one run tries first');
  expect(overload(['a1c0', 'b2d1'], ['a1c0', 'b2d1'].map(held)).ends).toBe(
    'until 15:39:52 at least, but nobody tries yet: the 2 runs also wait for the login of claude',
  );
  expect(overload(['a1c0'], [held('a1c0')]).ends).toBe(
    'until 15:39:52 at least, but nobody tries yet: its run also waits for the login of claude',
  );
  const paused = { runId: 'a1c0', holds: [], pauseUntil: NOW + 157_000 };
  expect(overload(['a1c0'], [paused]).ends, 'its own pause ends by itself').toBe(
    'until 15:39:52, then one run tries first',
  );
});
