import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cleanTree, listTree, sealTree } from '../../../src/act/checks/tree-seal.ts';
import { temporaryDirectory } from '../../temporary-directory.ts';

it('deletes what somebody put into the tree since, whatever its name, and keeps what is sealed', async () => {
  const root = temporaryDirectory();
  writeFileSync(join(root, 'installed'), '');
  const seal = await sealTree(root, new Set());
  const planted = ['constructor', 'toString', '__proto__', 'plain'].map((name) => join(root, name));
  for (const path of planted) writeFileSync(path, '');
  expect(await cleanTree(root, new Set(), seal)).toBe(true);
  expect(planted.filter((path) => existsSync(path))).toEqual([]);
  expect(existsSync(join(root, 'installed'))).toBe(true);
});

it('refuses a tree that it cannot list whole: what is not listed would be neither sealed nor cleaned', async () => {
  const root = temporaryDirectory();
  for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), '');
  expect(await listTree(root, undefined, 3)).toHaveLength(3);
  await expect(listTree(root, undefined, 2)).rejects.toMatchObject({ code: 'TREE_TOO_LARGE' });
});
