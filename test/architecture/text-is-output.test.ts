/** English is made from data and never read back: the core decides on fields, and the fold copies what was decided. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** They read what other programs wrote, paths and names that people give, or the journals of version 1. */
const READERS_OF_FOREIGN_TEXT = [
  'src/core/diagnose/',
  'src/core/judge/',
  'src/core/detect/',
  'src/core/text/reset-time/',
  'src/core/state/journal-v1/',
  'src/core/text/glob.ts',
  'src/core/vocabulary/task.ts',
  'src/core/gates/test-counts.ts',
];

/** A prefix, a suffix, or a piece of a sentence; the id of an option or a class has no space. */
const TEXT_TESTS = /\.(?:startsWith|endsWith)\(|\.includes\((['"`])[^'"`]*[ :][^'"`]*\1/;

const sources = globSync('src/core/**/*.ts').map((path) => ({ path, text: withoutComments(path) }));

function withoutComments(path: string): string {
  return readFileSync(path, 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
}

function linesWith(pattern: RegExp, paths: (path: string) => boolean): string[] {
  return sources
    .filter(({ path }) => paths(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line) => (pattern.test(line) ? [`${path}: ${line.trim()}`] : [])),
    );
}

describe('text is output, never input', () => {
  it('no prefix, suffix or piece of rendered text is tested in the core', () => {
    const isOurs = (path: string) => !READERS_OF_FOREIGN_TEXT.some((begin) => path.startsWith(begin));
    expect(linesWith(TEXT_TESTS, isOurs)).toEqual([]);
  });

  it.each([
    "if (first.startsWith('policy '))",
    "fingerprint.endsWith(':observed')",
    "why.includes('the agent asks')",
  ])('the search finds %s', (line) => {
    expect(TEXT_TESTS.test(line)).toBe(true);
  });

  it('the search leaves ids alone', () => {
    expect(TEXT_TESTS.test("resolutions.includes('waive_with_reason')")).toBe(false);
  });
});

describe('the fold copies, it does not compute', () => {
  const isFold = (path: string) => /^src\/core\/state\/evolve[^/]*\.ts$/.test(path);
  /** Counting lines and places is no decision; `phase >= 2` reads which step of the ladder was taken. */
  const NUMBER = /(?<![\w.`$'])(?![01](?![\d_.]))\d[\d_.]*/;

  it('has no numeric constant', () => {
    const found = linesWith(NUMBER, isFold).filter((line) => !line.includes('phase >= 2'));
    expect(found).toEqual([]);
    expect(NUMBER.test('const NARROWER_SHARE = 0.25;')).toBe(true);
  });

  it('does no arithmetic on budgets', () => {
    const arithmetic = /budget.*[-+*/] |[-+*/] .*budget/i;
    expect(linesWith(arithmetic, isFold)).toEqual([]);
    expect(arithmetic.test('budget: { tokens: budget.tokens * share }')).toBe(true);
  });
});
