import { expect, it } from 'vitest';
import { evidence, views } from '../crash/disk.ts';
import { type Box, inBox } from './box.ts';

/** Long pauses: what goes on here goes on by somebody's word, not because time has passed. */
const PAUSE = {
  backoff_ms: 600_000,
  backoff_max_ms: 600_000,
  wake_stagger_ms: 1,
  stop_soft_ms: 300,
  stop_term_ms: 300,
};
const OUTAGE = 'echo "Error: getaddrinfo ENOTFOUND api.nosuch.invalid" >&2; exit 1';
const LOGIN = 'echo "Invalid API key · Please run /login" >&2; exit 1';

async function detached(box: Box, script: string): Promise<string> {
  const { stdout } = await box.call('run', '--json', '--detach', 'x', '--', 'sh', '-c', script);
  return (JSON.parse(stdout) as { run_id: string }).run_id;
}

/** Read from the record: a command would look after the run, too. */
const viewOf = (box: Box, runId: string) => views(box).find(({ run_id }) => run_id === runId);

/** Two runs of one program: the first met the outage and owns the hold, the second waits behind it. */
async function outage(box: Box): Promise<{ readonly owner: string; readonly other: string }> {
  box.policy(PAUSE);
  const owner = await detached(box, OUTAGE);
  await box.until('the first has met the outage', () => viewOf(box, owner)?.state === 'waiting');
  const other = await detached(box, OUTAGE);
  await box.until('the second is held', () => viewOf(box, other)?.holds.length === 1);
  expect(viewOf(box, other)?.incidents).toEqual([]);
  return { owner, other };
}

/** Within its pause of ten minutes it starts only where nothing holds it any more. */
async function hasTried(box: Box, runId: string): Promise<void> {
  const limitMs = 30_000;
  await box.until('it has tried by itself', () => viewOf(box, runId)?.incidents.length === 1, limitMs);
}

it('a hold is named everywhere with its owner, and a person’s word releases it', () =>
  inBox(async (box) => {
    const { owner, other } = await outage(box);
    const [hold] = JSON.parse((await box.call('holds', '--json')).stdout) as { id: string }[];
    expect(hold).toMatchObject({
      kind: 'network',
      owner,
      waiting: expect.arrayContaining([other]) as unknown,
    });
    const named = new RegExp(`api.nosuch.invalid:443 does not answer[\\s\\S]*${hold?.id}`);
    const places = [['ps'], ['inbox'], ['doctor'], ['show', other], ['holds']];
    await Promise.all(
      places.map(async (words) => expect((await box.call(...words)).stdout, words.join(' ')).toMatch(named)),
    );
    const released = await box.call('holds', 'release', hold?.id ?? '', '--note', 'it is back');
    expect(released.exitCode, released.stderr).toBe(0);
    await hasTried(box, other);
    expect(evidence(box)).toContainEqual({
      kind: 'hold_released',
      payload: expect.objectContaining({ hold: hold?.id, owner, note: 'it is back' }) as unknown,
    });
  }));

it('an abandoned owner takes its hold along, and the next run tries at once', () =>
  inBox(async (box) => {
    const { owner, other } = await outage(box);
    expect(await box.call('abandon', owner)).toMatchObject({ exitCode: 0 });
    await hasTried(box, other);
  }));

it('a second run behind another run’s question shows that question and exits 3', () =>
  inBox(async (box) => {
    box.policy(PAUSE);
    const first = await box.call('run', 'x', '--', 'sh', '-c', LOGIN);
    expect(first.exitCode, first.stdout).toBe(3);
    const [asker] = views(box);
    // Left to itself it would wait for ever; so it gives up, and exits with another code.
    const second = await box.call('run', '--max-wait', '20s', 'x', '--', 'sh', '-c', LOGIN);
    expect(second).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining(`mayday answer ${asker?.run_id}-q1`) as unknown,
    });
  }));
