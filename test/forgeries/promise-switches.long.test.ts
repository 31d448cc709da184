/** Taking out any one of what keeps the promises makes at least one test fail. A few are drawn; all with MAYDAY_CRASH_ALL=1. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SEED } from '../lane.ts';
import { Random } from '../simulation/random.ts';
import { copyOfSources, play } from './played.ts';
import { PROMISE_SWITCHES } from './promise-switches.ts';

/** Each is a run of the test runner of its own. */
const DRAWN = 3;
const LIMIT_MS = 600_000;
const random = new Random(SEED);
const drawn =
  process.env['MAYDAY_CRASH_ALL'] === '1'
    ? PROMISE_SWITCHES
    : Array.from({ length: DRAWN }, () => PROMISE_SWITCHES[random.between(0, PROMISE_SWITCHES.length - 1)]);

let folder = '';
beforeAll(() => {
  folder = copyOfSources();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([...new Set(drawn)].filter((one) => one !== undefined))(
  'without "$defence" a broken promise is noticed by its test',
  async ({ file, from, to, proof }) => {
    const source = readFileSync(join(folder, file), 'utf8');
    writeFileSync(
      join(folder, file),
      source.replace(from, () => to),
    );
    try {
      const { failed, said } = await play(folder, { ...proof, isChanged: true });
      expect(failed.length, said).toBeGreaterThan(0);
    } finally {
      writeFileSync(join(folder, file), source);
    }
  },
  LIMIT_MS,
);
