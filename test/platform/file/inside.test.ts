import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isInside, realOrSame } from '../../../src/platform/file/inside.ts';

it.each([
  ['/work/tree', '/work/tree', true],
  ['/work/tree/src', '/work/tree', true],
  ['/work/tree/..src', '/work/tree', true],
  ['/work/tree', '/', true],
  ['/work/tree', '/work/', true],
  ['/work/tree-2', '/work/tree', false],
  ['/work', '/work/tree', false],
  ['socket:[7]', '/work/tree', false],
])('%s and %s: %s', (path, folder, expected) => {
  expect(isInside(path, folder)).toBe(expected);
});

it('a link leads to its folder, and a path that is not there stays, without its dots', () => {
  const folder = realOrSame(mkdtempSync(join(tmpdir(), 'mayday-inside-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  expect(realOrSame(join(folder, 'link'))).toBe(join(folder, 'real'));
  expect(realOrSame(`${folder}/none/../other`)).toBe(join(folder, 'other'));
});
