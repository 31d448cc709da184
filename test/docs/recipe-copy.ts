/** A copy of the repository in which a test follows a recipe of CONTRIBUTING. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { ROOT, readPage } from './pages.ts';

const COPIED = [
  'package.json',
  'tsconfig.json',
  'vitest.config.ts',
  'biome.json',
  'src',
  'desk',
  'scripts',
  'test',
  'docs',
];

/** `types`: the folders that are compiled by `compile`. */
export function recipeCopy(types: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'mayday-recipe-'));
  beforeAll(() => {
    for (const path of COPIED) cpSync(join(ROOT, path), join(folder, path), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const config = { extends: './tsconfig.json', include: types };
    writeFileSync(join(folder, 'tsconfig.recipe.json'), JSON.stringify(config));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const tool = (name: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin', name), args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    });
    return { status, output: stdout + stderr };
  };
  return { folder, tool, compile: () => tool('tsc', '-p', 'tsconfig.recipe.json') };
}

/** The part of CONTRIBUTING that a reader follows. */
export function recipe(title: string): string {
  const page = readPage('CONTRIBUTING.md');
  const from = page.indexOf(`## ${title}\n`);
  return page.slice(from, page.indexOf('\n## ', from + 1));
}
