import { existsSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { removeFolder } from '../../../src/platform/file/remove-folder.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

it.each([
  ['a few files', 3],
  ['many files', 500],
])('a folder with %s is deleted, and what its links lead to stays', async (_, count) => {
  const folder = temporaryDirectory();
  const [outside, inside] = [join(folder, 'outside'), join(folder, 'inside')];
  mkdirSync(outside);
  writeFileSync(join(outside, 'file'), 'stays');
  mkdirSync(join(inside, 'deep/deeper'), { recursive: true });
  symlinkSync(outside, join(inside, 'deep/link'));
  for (let n = 0; n < count; n += 1) writeFileSync(join(inside, 'deep/deeper', String(n)), '');
  await removeFolder(inside);
  expect(existsSync(inside)).toBe(false);
  expect(readFileSync(join(outside, 'file'), 'utf8')).toBe('stays');
});

it('a link in place of the folder is deleted, not what it leads to; a file too; nothing is no error', async () => {
  const folder = temporaryDirectory();
  const [outside, link] = [join(folder, 'outside'), join(folder, 'link')];
  mkdirSync(outside);
  writeFileSync(join(outside, 'file'), 'stays');
  symlinkSync(outside, link);
  await removeFolder(link);
  await removeFolder(link);
  expect([existsSync(link), readFileSync(join(outside, 'file'), 'utf8')]).toEqual([false, 'stays']);
  await removeFolder(join(outside, 'file'));
  expect(existsSync(join(outside, 'file'))).toBe(false);
});

it('other work of the process goes on while a folder with a large file is deleted', async () => {
  const folder = join(temporaryDirectory(), 'folder');
  mkdirSync(folder);
  writeFileSync(join(folder, 'file'), '');
  truncateSync(join(folder, 'file'), 1024 ** 3);
  let hadTurn = false;
  setImmediate(() => (hadTurn = true));
  await removeFolder(folder);
  expect([hadTurn, existsSync(folder)]).toEqual([true, false]);
});
