import { afterEach, describe, expect, it, vi } from 'vitest';
import { openQuestion } from '../../src/core/run-state.ts';
import { writeMail } from '../../src/supervise/mail.ts';
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

describe('a login that expired for many runs', () => {
  it('one question for all; when it is answered and the first is well, the others go on, and no restart is spent', async () => {
    const fleet = await newFleet();
    const expired = {
      steps: [{ error: 'API Error: 401 authentication_error: OAuth token has expired' }, { exit: 1 }],
    };
    const runs: string[] = [];
    for (let count = 0; count < 4; count += 1)
      runs.push(await fleet.submit({ attempts: [expired, done] }, QUICK));
    const working = fleet.work(4);
    const asking = await vi.waitFor(
      async () => {
        const states = await Promise.all(runs.map((runId) => fleet.state(runId)));
        const open = states.filter((state) => openQuestion(state)?.question.kind === 'login');
        const parked = states.filter(({ life }) => life.type === 'waiting' && life.for === 'host');
        expect(open).toHaveLength(1);
        expect(parked).toHaveLength(runs.length - 1);
        return open[0];
      },
      { timeout: 240_000, interval: 250 },
    );
    const question = asking === undefined ? undefined : openQuestion(asking)?.question;
    await fleet.record.post(
      asking?.runId ?? '',
      Date.now(),
      writeMail({
        type: 'question_answered',
        question: question?.id ?? '',
        option: 'retry',
        note: '',
        by: 'ann',
      }),
    );
    await working;
    const states = await Promise.all(runs.map((runId) => fleet.state(runId)));
    for (const { life, attempts } of states) {
      expect(life).toMatchObject({ type: 'ended', state: 'delivered' });
      expect(attempts.every(({ counted }) => !counted)).toBe(true);
    }
    const answered = states.flatMap(({ questions }) => questions.filter(({ state }) => state === 'answered'));
    expect(answered).toHaveLength(1);
  });
});
