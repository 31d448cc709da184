/** The suite runs as root in containers and CI: the proofs of the list of forgeries are played as an ordinary user too. */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../lane.ts';
import { copyOfSources, play } from './played.ts';
import { FORGERIES } from './table.ts';

const NOBODY = 65_534;
const LIMIT_MS = 600_000;
/** These play both users themselves, and need root for it. */
const PLAYS_BOTH: readonly string[] = ['test/e2e/hidden-home.test.ts'];

const files = [...new Set(FORGERIES.map(({ file }) => file))].filter((file) => !PLAYS_BOTH.includes(file));

describe.skipIf(process.getuid?.() !== 0)('as an ordinary user', () => {
  let folder = '';
  beforeAll(() => {
    folder = copyOfSources();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.each(sampled(files, 1))(
    'the forgeries of %s end refused or as a question',
    async (file) => {
      // One test may prove several rows.
      const titles = [...new Set(FORGERIES.filter((row) => row.file === file).map(({ title }) => title))];
      const { passed, failed, said } = await play(folder, { file, titles, user: NOBODY });
      expect(failed, said).toEqual([]);
      expect(passed.length, said).toBeGreaterThanOrEqual(titles.length);
    },
    LIMIT_MS,
  );
});
