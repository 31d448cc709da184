import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { MAYDAY } from '../mayday-under-test.ts';

describe('the bundled programs', () => {
  it('compile no text: what a process reads once is read sooner step by step', () => {
    const folder = join(dirname(MAYDAY), '../dist/programs');
    const files = globSync('*.js', { cwd: folder });
    expect(files.length).toBeGreaterThan(20);
    const compiling = files.filter((file) =>
      /\bnew Function\b/.test(readFileSync(join(folder, file), 'utf8')),
    );
    expect(compiling).toEqual([]);
  });
});
