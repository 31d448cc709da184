import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { diffExcerpt } from '../../../src/act/attempt/diff-excerpt.ts';

it('names every file, an empty one and one whose mode changed too', async () => {
  const shadow = mkdtempSync(join(tmpdir(), 'mayday-test-'));
  const git = (args: readonly string[], input = '') =>
    execFileSync('git', ['--git-dir', shadow, ...args], { input, encoding: 'utf8' }).trim();
  try {
    git(['init', '--quiet', '--bare', shadow]);
    const blob = (text: string) => git(['hash-object', '-w', '--stdin'], text);
    const tree = (files: readonly string[]) => git(['mktree'], `${files.join('\n')}\n`);
    const run = `blob ${blob('#!/bin/sh\n')}\trun`;
    const before = tree([`100644 ${run}`]);
    const after = tree([
      `100644 blob ${blob('')}\tempty`,
      `100644 blob ${blob('one\n')}\tfull`,
      `100755 ${run}`,
    ]);
    const { diff } = await diffExcerpt(shadow, before, after, AbortSignal.timeout(60_000));
    expect(diff).toEqual([
      'diff --git a/empty b/empty',
      'new file mode 100644',
      'new file mode 100644',
      '+++ b/full',
      '@@ -0,0 +1 @@',
      '+one',
      'diff --git a/run b/run',
      'old mode 100644',
      'new mode 100755',
    ]);
  } finally {
    rmSync(shadow, { recursive: true });
  }
});
