/** Taking out any one defence makes at least one test of a forgery fail: no test passes for another reason than its defence. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sampled } from '../lane.ts';
import { DEFENCES } from './defences.ts';
import { copyOfSources, play } from './played.ts';

const LIMIT_MS = 600_000;
const isRoot = process.getuid?.() === 0;
let folder = '';
beforeAll(() => {
  folder = copyOfSources();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.for(sampled(DEFENCES, 2))(
  'without "$defence" a forgery is noticed by its test',
  { timeout: LIMIT_MS },
  async ({ file, from, to, proof }, { skip }) => {
    const source = readFileSync(join(folder, file), 'utf8');
    writeFileSync(
      join(folder, file),
      source.replace(from, () => to),
    );
    try {
      const { passed, failed, said } = await play(folder, { ...proof, isChanged: true });
      skip(!isRoot && passed.length + failed.length === 0, 'its test is for root');
      expect(failed.length, said).toBeGreaterThan(0);
    } finally {
      writeFileSync(join(folder, file), source);
    }
  },
);
