import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { changeTime } from '../../../src/act/save-work.ts';
import { temporaryFolder, writeFiles } from '../temporary-repository.ts';

/** The clock of the files goes in steps of some milliseconds: waits until a new file is later than all that was there. */
async function nextMoment(root: string): Promise<number> {
  const before = Date.now();
  const probe = join(`${root}-probe`);
  for (;;) {
    writeFileSync(probe, '');
    const at = Math.floor(statSync(probe).ctimeMs);
    rmSync(probe);
    if (at > before) return at;
    await pause(1);
  }
}

function place(files: Readonly<Record<string, string>>): string {
  const root = join(temporaryFolder(), 'tree');
  mkdirSync(root);
  writeFiles(root, files);
  return root;
}

test('a written file changed when it was written, however long ago that is', async () => {
  const root = place({ 'a.txt': 'a', 'deep/er/b.txt': 'b' });
  const later = await nextMoment(root);
  expect(await changeTime(root, ['a.txt', 'deep/er/b.txt'])).toBeLessThan(later);
  writeFileSync(join(root, 'deep/er/b.txt'), 'more');
  expect(await changeTime(root, ['a.txt', 'deep/er/b.txt'])).toBeGreaterThanOrEqual(later);
  expect(await changeTime(root, ['a.txt'])).toBeLessThan(later);
});

test('a file that is unpacked with an old date changed when it was unpacked', async () => {
  const root = place({ 'a.txt': 'a' });
  const later = await nextMoment(root);
  utimesSync(join(root, 'a.txt'), 1, 1);
  expect(await changeTime(root, ['a.txt'])).toBeGreaterThanOrEqual(later);
});

test('a deleted file and one in a folder that was moved here changed when that was done', async () => {
  const root = place({ 'deep/gone.txt': 'x', 'other/er/b.txt': 'b' });
  const deleted = await nextMoment(root);
  rmSync(join(root, 'deep'), { recursive: true });
  expect(await changeTime(root, ['deep/gone.txt'])).toBeGreaterThanOrEqual(deleted);
  const moved = await nextMoment(root);
  renameSync(join(root, 'other'), join(root, 'here'));
  expect(await changeTime(root, ['here/er/b.txt'])).toBeGreaterThanOrEqual(moved);
});

test('of no path at all nothing is known', async () => {
  expect(await changeTime(place({ 'a.txt': 'a' }), [])).toBeNull();
});
