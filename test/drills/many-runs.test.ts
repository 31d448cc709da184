import { afterEach, describe, expect, it, vi } from 'vitest';
import { openQuestion, type RunState } from '../../src/core/state/run-state.ts';
import { postWord } from '../../src/supervise/mail/mail.ts';
import { type Fleet, openFleet } from './fleet.ts';

vi.setConfig({ testTimeout: 600_000, hookTimeout: 60_000 });

const QUICK = {
  backoff_ms: 200,
  backoff_max_ms: 1_000,
  probe_ms: 1_500,
  wake_stagger_ms: 1_000,
  stop_soft_ms: 500,
  stop_term_ms: 500,
};
const fleets: Fleet[] = [];

afterEach(async () => {
  for (const fleet of fleets.splice(0)) await fleet.remove();
});

async function newFleet(): Promise<Fleet> {
  const fleet = await openFleet();
  fleets.push(fleet);
  return fleet;
}

const done = { steps: [{ usage: { tokens: 10 } }, { write: { 'a.txt': 'A' } }, { exit: 0 }] };

describe.each([
  {
    what: 'a login that expired',
    kind: 'login',
    error: 'API Error: 401 authentication_error: OAuth token has expired',
  },
  {
    what: 'a port that somebody took',
    kind: 'environment',
    error: 'Error: listen EADDRINUSE: address already in use :::3000',
  },
  {
    what: 'a file of this machine that may not be read',
    kind: 'permission_denied',
    error: "Error: EACCES: permission denied, open '/srv/data/seed.json'",
  },
])('$what stops many runs', ({ kind, error }) => {
  it('one question for all, asked once; when it is answered and the first is well, the others go on, and no restart is spent', async () => {
    const fleet = await newFleet();
    const runs: string[] = [];
    for (let count = 0; count < 5; count += 1)
      runs.push(await fleet.submit({ attempts: [{ steps: [{ error }, { exit: 1 }] }, done] }, QUICK));
    const working = fleet.work(5);
    const asking = await vi.waitFor(
      async () => {
        const states = await Promise.all(runs.map((runId) => fleet.state(runId)));
        const open = states.filter((state) => openQuestion(state)?.question.kind === kind);
        const parked = states.filter(({ life }) => life.type === 'waiting' && life.for === 'host');
        expect(open).toHaveLength(1);
        expect(parked).toHaveLength(runs.length - 1);
        return open[0] as RunState;
      },
      { timeout: 90_000, interval: 250 },
    );
    const question = openQuestion(asking)?.question.id ?? '';
    const word = { type: 'question_answered', question, option: 'retry', note: '', by: 'ann' } as const;
    await postWord(fleet, asking.runId, word);
    await working;
    const states = await Promise.all(runs.map((runId) => fleet.state(runId)));
    for (const { life, attempts } of states) {
      expect(life).toMatchObject({ type: 'ended', state: 'delivered' });
      expect(attempts.every(({ counted }) => !counted)).toBe(true);
    }
    // Also none that was asked for a moment and withdrawn.
    expect(states.flatMap(({ questions }) => questions)).toMatchObject([
      { answer: { by: expect.any(String) } },
    ]);
  });
});
