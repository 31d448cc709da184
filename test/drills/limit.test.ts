import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { PLAYS_ALL } from '../lane.ts';
import { openFleet } from './fleet.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

const RUNS = PLAYS_ALL ? 20 : 6;
const RESET_MS = 5_000;
const STAGGER_MS = 4_000;
const POLICY = {
  reset_skew_ms: 500,
  probe_ms: 1_500,
  wake_stagger_ms: STAGGER_MS,
  // Far beyond the drill: who misses the reset time, or asks again instead, is late.
  unknown_reset_ms: 120_000,
  backoff_ms: 120_000,
};

interface Start {
  readonly run: string;
  readonly attempt: number;
  readonly session: string;
  readonly at: number;
}

it(`${RUNS} runs of one account meet a limit together: all wait, one tries first, the others wake one after the other, and each agent session is resumed exactly once`, async () => {
  const begun = performance.now();
  const fleet = await openFleet();
  onTestFinished(() => fleet.remove());
  // What the agents themselves write down, each start in a line of its own: the judge that is not Mayday.
  const log = join(fleet.folder, 'starts');
  const limit = join(fleet.folder, 'limit-reached');
  const starts = (): readonly Start[] =>
    (existsSync(log) ? readFileSync(log, 'utf8') : '').split('\n').flatMap(startOf);
  const note = {
    run: `echo "$MAYDAY_RUN $MAYDAY_ATTEMPT $MAYDAY_REHEARSAL_SESSION $(date +%s%3N)" >> '${log}'`,
  };
  const limited = {
    steps: [
      note,
      { run: `until [ -e '${limit}' ]; do sleep 0.2; done` },
      { error: `Error: 429 Too Many Requests. Please retry after ${RESET_MS / 1000} seconds.` },
      { exit: 1 },
    ],
  };
  const served = { steps: [note, { usage: { tokens: 10 } }, { write: { 'a.txt': 'A' } }, { exit: 0 }] };
  const runs: string[] = [];
  for (let count = 0; count < RUNS; count += 1)
    runs.push(await fleet.submit({ attempts: [limited, served] }, POLICY));
  const working = fleet.work(RUNS);
  await vi.waitFor(() => expect(starts()).toHaveLength(RUNS), { timeout: 240_000, interval: 200 });
  writeFileSync(limit, '');
  const limitedAt = Date.now();
  await working;

  const states = await Promise.all(runs.map((runId) => fleet.state(runId)));
  for (const state of states) {
    expect(state.life).toMatchObject({ type: 'ended', state: 'delivered' });
    expect(state.questions).toEqual([]);
    expect(state.attempts.every(({ counted }) => !counted)).toBe(true);
    expect(state.incidents.map((incident) => incident.class)).toEqual(['rate_limited']);
    expect(state.incidents[0]?.recoveries).toMatchObject([{ strategy: 'wait', phase: 1 }]);
  }
  const bySession = Map.groupBy(starts(), ({ session }) => session);
  expect(bySession.size).toBe(RUNS);
  for (const [session, lives] of bySession) {
    expect(session).not.toBe('');
    expect(lives.map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(new Set(lives.map(({ run }) => run)).size).toBe(1);
  }
  const woken = starts()
    .filter(({ attempt }) => attempt === 2)
    .map(({ at }) => at)
    .toSorted((a, b) => a - b);
  const [first = 0, second = 0] = woken;
  const last = woken.at(-1) ?? 0;
  expect(first).toBeGreaterThanOrEqual(limitedAt + RESET_MS);
  // The others begin when the first was seen to be well, and not all at once.
  expect(second).toBeGreaterThan(first);
  expect(last - second).toBeGreaterThan(STAGGER_MS / 4);
  expect((await fleet.record.holds()).filter(({ kind }) => kind === 'limit')).toMatchObject([
    { liftedAt: expect.any(Number) },
  ]);
  const [hold] = (await fleet.record.holds()).filter(({ kind }) => kind === 'limit');
  expect(second).toBeGreaterThanOrEqual(hold?.liftedAt ?? Infinity);
  console.log(
    `limit: ${RUNS} sessions, ${starts().length - RUNS} resumes, first ${((first - limitedAt) / 1000).toFixed(1)} s after the limit, ` +
      `the others over ${((last - second) / 1000).toFixed(1)} s; delivered after ${((performance.now() - begun) / 1000).toFixed(1)} s`,
  );
});

function startOf(line: string): Start[] {
  const [run = '', attempt = '', session = '', at = ''] = line.split(' ');
  return at === '' ? [] : [{ run, attempt: Number(attempt), session, at: Number(at) }];
}
