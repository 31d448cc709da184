import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { markdownBlocks } from './markdown-blocks.ts';
import { recipe, recipeCopy } from './recipe-copy.ts';

const LIMIT_MS = 300_000;
const LIST = 'src/core/detect/detectors.ts';
const { folder: copy, tool, compile } = recipeCopy(['src', 'test/core/detect']);

it(
  'a reader who follows the recipe for a detector has a working one, and has touched only what it lists',
  () => {
    const files = markdownBlocks(recipe('A new detector')).filter(({ file }) => file !== null);
    expect(files.map(({ file }) => file)).toEqual([
      'src/core/detect/detectors/loops/apology-spiral.ts',
      'test/core/detect/apology-spiral.test.ts',
    ]);
    // Steps 1 and 3: the two files, exactly as printed.
    for (const { file, text } of files) {
      const path = join(copy, file as string);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, `${text}\n`);
    }
    const test = 'test/core/detect/apology-spiral.test.ts';
    expect(tool('vitest', 'run', test).output).toContain('1 failed');

    // Step 2: one import, one entry.
    const list = join(copy, LIST);
    writeFileSync(
      list,
      readFileSync(list, 'utf8')
        .replace(/^import /m, "import { apologySpiral } from './detectors/loops/apology-spiral.ts';\nimport ")
        .replace(/(DETECTORS[^[]*\[\][^[]*\[)/, '$1\n  apologySpiral,'),
    );
    expect(readFileSync(list, 'utf8')).toContain('\n  apologySpiral,');

    // Step 4: it works, disturbs no other test of detection, and passes the house rules.
    const run = tool('vitest', 'run', 'test/core/detect', 'test/architecture/import-direction.test.ts');
    expect(run.status, run.output).toBe(0);
    const types = compile();
    expect(types.status, types.output).toBe(0);
    for (const { file } of files) {
      const format = tool('biome', 'format', '--vcs-enabled=false', file as string);
      expect(format.status, format.output).toBe(0);
    }
  },
  LIMIT_MS,
);
