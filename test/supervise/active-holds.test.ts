/** The runs that a hold keeps, read from the record: also those that something else keeps longer. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Fact } from '../../src/core/vocabulary/events/event.ts';
import { runJson } from '../../src/core/view/run-json.ts';
import { activeHolds, stayingOf } from '../../src/supervise/active-holds.ts';
import { RunJournal } from '../../src/supervise/run-journal.ts';
import { takeRun } from '../../src/supervise/lease/adopt-run.ts';
import { Story } from '../core/story.ts';
import { type Fleet, openFleet } from '../drills/fleet.ts';

let fleet: Fleet;
beforeEach(async () => {
  fleet = await openFleet();
});
afterEach(() => fleet.remove());

async function ownRun(): Promise<RunJournal> {
  const runId = await fleet.submit(['true'], {});
  const taken = await takeRun(fleet.record, runId, 60_000);
  return await RunJournal.open(fleet.record, runId, taken?.fence ?? 0, (value) => value);
}

it('a run that two holds keep is counted by both, and neither promises its start', async () => {
  const [owner, held] = [await ownRun(), await ownRun()];
  const now = Date.now();
  const holder = owner.state.runId;
  const login = { key: 'login:claude:1', kind: 'login', until: null, reason: 'refused', holder } as const;
  const overload = {
    key: 'model:claude:m:1',
    kind: 'overload',
    until: now + 60_000,
    reason: 'busy',
    holder,
  } as const;
  for (const hold of [login, overload])
    await fleet.record.changeHold({ type: 'place', hold: { ...hold, at: now } });
  const facts = [
    { type: 'workspace_prepared', kind: 'worktree', path: '/w', baseCommit: 'c', baseTree: 't', setup: null },
    { type: 'checks_finished', purpose: 'baseline', tree: 't', results: [], changed: [] },
    { type: 'held', hold: overload, attempt: 1 },
    { type: 'held', hold: login, attempt: null },
  ];
  for (const fact of facts) await held.submit({ at: now, ...fact } as Fact);
  const { runId } = held.state;
  const found = (await activeHolds(fleet.record, now)).map(({ hold, waiting, staying }) => [
    hold.kind,
    waiting,
    staying.map((one) => [one.runId, one.holds.map(({ kind }) => kind), one.pauseUntil]),
  ]);
  expect(found).toContainEqual(['login', [runId], [[runId, ['overload'], null]]]);
  expect(found).toContainEqual(['overload', [runId], [[runId, ['login'], null]]]);
  const later = (await activeHolds(fleet.record, now + 60_001)).find(({ hold }) => hold.kind === 'login');
  expect(later?.staying, 'the overload is over by then').toEqual([]);
});

it('the pause of a run that met an overload itself is told once, and a release of that hold does not end it', () => {
  const story = new Story().prepared().started().ended({ exitCode: 1 });
  const { until } = story.state.life as { readonly until: number };
  const { runId } = story.state;
  const row = { since: 0, probe: null, probeUntil: null, liftedAt: null };
  const login = {
    key: 'login:claude:1',
    kind: 'login',
    until: null,
    reason: 'refused',
    holder: 'pfg7',
  } as const;
  const overload = {
    key: 'model:claude:m:1',
    kind: 'overload',
    until,
    reason: 'busy',
    holder: runId,
  } as const;
  for (const hold of [overload, login]) story.tell({ type: 'held', hold, attempt: null });
  const view = runJson(story.state);
  const now = until - 1;
  expect(stayingOf(view, { ...login, ...row }, now)).toEqual([
    { runId, holds: [{ key: overload.key, kind: 'overload' }], pauseUntil: null },
  ]);
  expect(stayingOf(view, { ...overload, ...row }, now)).toEqual([
    { runId, holds: [{ key: login.key, kind: 'login' }], pauseUntil: until },
  ]);
});
