import { expect, it } from 'vitest';
import { evidence } from '../crash/disk.ts';
import { type Box, inBox } from './box.ts';

/** Long pauses: what goes on here goes on by somebody's word, not because time has passed. */
const PAUSE = { backoff_ms: 600_000, backoff_max_ms: 600_000, stop_soft_ms: 300, stop_term_ms: 300 };
const OUTAGE = 'echo "Error: getaddrinfo ENOTFOUND api.nosuch.invalid" >&2; exit 1';
const LOGIN = 'echo "Invalid API key · Please run /login" >&2; exit 1';

interface HoldJson {
  readonly id: string;
  readonly kind: string;
  readonly owner: string;
  readonly waiting: readonly string[];
}

async function holds(box: Box): Promise<readonly HoldJson[]> {
  return JSON.parse((await box.call('holds', '--json')).stdout) as readonly HoldJson[];
}

async function detached(box: Box, script: string): Promise<string> {
  const { stdout } = await box.call('run', '--json', '--detach', 'x', '--', 'sh', '-c', script);
  return (JSON.parse(stdout) as { run_id: string }).run_id;
}

it('a hold is named everywhere with its owner, binds only who shares it, and a person’s word releases it', () =>
  inBox(async (box) => {
    box.policy(PAUSE);
    const owner = await detached(box, OUTAGE);
    await box.until('the outage holds', async () => (await holds(box)).length === 1);
    const other = await detached(box, OUTAGE);
    await box.until(
      'the second is held',
      async () => (await holds(box))[0]?.waiting.includes(other) === true,
    );
    const [hold] = await holds(box);
    expect(hold).toMatchObject({ kind: 'network', owner });
    const named = new RegExp(`network is down[\\s\\S]*${hold?.id}`);
    for (const words of [['ps'], ['inbox'], ['doctor'], ['show', other], ['holds']])
      expect((await box.call(...words)).stdout, words.join(' ')).toMatch(named);
    // Another program shares nothing with it.
    expect((await box.call('run', 'x', '--', 'touch', 'a')).exitCode).toBe(5);
    expect(await box.call('release', 'network-0')).toMatchObject({ exitCode: 2 });
    expect(await box.call('holds', 'release', hold?.id ?? '', '--note', 'it is back')).toMatchObject({
      exitCode: 0,
    });
    await box.until('the second has tried by itself', async () =>
      JSON.stringify(await box.call('show', other, '--json')).includes('network_failure'),
    );
    expect(evidence(box.home)).toContainEqual({
      kind: 'hold_released',
      payload: expect.objectContaining({ hold: hold?.id, owner, note: 'it is back' }) as unknown,
    });
  }));

it('an abandoned owner takes its hold along', () =>
  inBox(async (box) => {
    box.policy(PAUSE);
    const owner = await detached(box, OUTAGE);
    await box.until('the outage holds', async () => (await holds(box)).length === 1);
    expect(await box.call('abandon', owner)).toMatchObject({ exitCode: 0 });
    await box.until('nothing is held', async () => (await holds(box)).length === 0);
  }));

it('a second run behind another run’s question shows that question and exits 3', () =>
  inBox(async (box) => {
    box.policy(PAUSE);
    const first = await box.call('run', 'x', '--', 'sh', '-c', LOGIN);
    expect(first.exitCode).toBe(3);
    const { run_id } = await box.show();
    const second = await box.call('run', 'x', '--', 'sh', '-c', LOGIN);
    expect(second).toMatchObject({
      exitCode: 3,
      stdout: expect.stringContaining(`mayday answer ${run_id}-q1`) as unknown,
    });
  }));
