import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { markdownBlocks } from './markdown-blocks.ts';
import { ROOT, readPage } from './pages.ts';

const LIMIT_MS = 180_000;
const LIST = 'src/core/detect/detectors.ts';
const COPIED = ['package.json', 'tsconfig.json', 'vitest.config.ts', 'biome.json', 'src', 'test', 'docs'];
const RECIPE_CONFIG = '{"extends": "./tsconfig.json", "include": ["src", "test/core/detect"]}\n';
const copy = mkdtempSync(join(tmpdir(), 'mayday-recipe-'));

beforeAll(() => {
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function tool(name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin', name), args, {
    cwd: copy,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  });
  return { status, output: stdout + stderr };
}

/** The part of CONTRIBUTING that a reader follows. */
function recipe(): string {
  const page = readPage('CONTRIBUTING.md');
  const from = page.indexOf('## A new detector');
  return page.slice(from, page.indexOf('\n## ', from + 1));
}

it(
  'a reader who follows the recipe for a detector has a working one, and has touched only what it lists',
  () => {
    const files = markdownBlocks(recipe()).filter(({ file }) => file !== null);
    expect(files.map(({ file }) => file)).toEqual([
      'src/core/detect/apology-spiral.ts',
      'test/core/detect/apology-spiral.test.ts',
    ]);
    // Steps 1 and 3: the two files, exactly as printed.
    for (const { file, text } of files) writeFileSync(join(copy, file as string), `${text}\n`);
    const test = 'test/core/detect/apology-spiral.test.ts';
    expect(tool('vitest', 'run', test).output).toContain('1 failed');

    // Step 2: one import, one entry.
    const list = join(copy, LIST);
    writeFileSync(
      list,
      readFileSync(list, 'utf8')
        .replace(/^import /m, "import { apologySpiral } from './apology-spiral.ts';\nimport ")
        .replace(/(DETECTORS[^[]*\[\][^[]*\[)/, '$1\n  apologySpiral,'),
    );
    expect(readFileSync(list, 'utf8')).toContain('\n  apologySpiral,');

    // Step 4: it works, disturbs no other test of detection, and passes the house rules.
    const run = tool('vitest', 'run', 'test/core/detect', 'test/architecture/import-direction.test.ts');
    expect(run.status, run.output).toBe(0);
    writeFileSync(join(copy, 'tsconfig.recipe.json'), RECIPE_CONFIG);
    const types = tool('tsc', '-p', 'tsconfig.recipe.json');
    expect(types.status, types.output).toBe(0);
    for (const { file } of files) {
      const format = tool('biome', 'format', '--vcs-enabled=false', file as string);
      expect(format.status, format.output).toBe(0);
    }
  },
  LIMIT_MS,
);
