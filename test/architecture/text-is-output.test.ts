/** English is made from data and never read back: the core decides on fields, and the fold copies what was decided. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** They read what other programs wrote, paths and names that people give, or the journals of version 1. */
const READERS_OF_FOREIGN_TEXT = [
  'src/core/diagnose/',
  'src/core/lexicon/',
  'src/core/judge/',
  // Diffs, and what a model says of them.
  'src/core/opinion/',
  'src/core/detect/',
  'src/core/text/',
  'src/core/state/journal-v1/',
  // The name of an account; the name of a branch; the name of a model; the note of a person; patterns of the repository's rules over changed files.
  'src/core/fleet/account-held.ts',
  'src/core/vocabulary/task.ts',
  'src/core/vocabulary/agent-limits.ts',
  'src/core/decide/question/carry-out-answer.ts',
  'src/core/gates/rule-findings.ts',
  // Output of checks, of the agent's calls and of the network.
  'src/core/gates/test-counts.ts',
  'src/core/decide/recovery/categorise.ts',
  'src/core/fleet/outage-endpoint.ts',
];

/** They cut text to its room; nothing is decided by it. */
const LAYOUT = ['src/core/view/run-line.ts', 'src/core/view/brief/render-brief.ts'];

/** Fields that hold sentences. */
const SENTENCES =
  'rootCause|reason|text|details?|why|whyNow|proof|says|said|summary|claim|sentence|words|title|evidence|cause';

/** A pattern, a prefix, a suffix, a piece of a sentence, or a comparison of a sentence; the id of an option or a class has no space. */
const TEXT_TESTS = [
  /\.(?:startsWith|endsWith|match|matchAll|search|exec|test)\(/,
  /\.(?:includes|indexOf|lastIndexOf)\((['"`])[^'"`]*[ :][^'"`]*\1/,
  new RegExp(`\\b(?:${SENTENCES})\\)?\\.(?:includes|indexOf|lastIndexOf)\\(['"\`]`),
  new RegExp(`\\b(?:${SENTENCES})(?:\\[0\\])? (?:===|!==) (['"\`])[^'"\`]`),
  /(?:===|!==) (['"`])[^'"`]* [^'"`]*\1/,
];

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
    const isOurs = (path: string) =>
      ![...READERS_OF_FOREIGN_TEXT, ...LAYOUT].some((begin) => path.startsWith(begin));
    expect(TEXT_TESTS.flatMap((pattern) => linesWith(pattern, isOurs))).toEqual([]);
  });

  it.each([
    "if (first.startsWith('policy '))",
    "fingerprint.endsWith(':observed')",
    "why.includes('the agent asks')",
    'texts.some((text) => MEMORY.test(text))',
    'if (/memory/i.test(diagnosis.rootCause)) return usual;',
    "rootCause.includes('memory')",
    "evidence[0] === 'memory'",
    "if (life.reason === 'stopped')",
    "question === 'Is there nothing to do?'",
    'const [, rule] = /^policy (\\w+)/.exec(first) ?? [];',
  ])('the search finds %s', (line) => {
    expect(TEXT_TESTS.some((pattern) => pattern.test(line))).toBe(true);
  });

  it.each(["resolutions.includes('waive_with_reason')", "note !== ''", "type === 'waiting'"])(
    'the search leaves %s alone',
    (line) => {
      expect(TEXT_TESTS.some((pattern) => pattern.test(line))).toBe(false);
    },
  );
});

describe('the fold copies, it does not compute', () => {
  const isFold = (path: string) => /^src\/core\/state\/evolve[^/]*\.ts$/.test(path);
  /** Counting lines and places is no decision. */
  const NUMBER = /(?<![\w.`$'])(?![01](?![\d_.]))\d[\d_.]*/;

  it('has no numeric constant', () => {
    expect(linesWith(NUMBER, isFold)).toEqual([]);
    expect(NUMBER.test('const NARROWER_SHARE = 0.25;')).toBe(true);
  });

  it('does no arithmetic on budgets', () => {
    const arithmetic = /budget.*[-+*/] |[-+*/] .*budget/i;
    expect(linesWith(arithmetic, isFold)).toEqual([]);
    expect(arithmetic.test('budget: { tokens: budget.tokens * share }')).toBe(true);
  });

  it('does no arithmetic but counting', () => {
    const sum = /\bMath\.|[\w)\]] [-+*/] (?!1\b)/;
    expect(linesWith(sum, isFold)).toEqual([]);
    expect(sum.test('const lostMs = before + event.sleptMs + Math.max(0, event.jumpedMs);')).toBe(true);
    expect(sum.test('seq: before.seq + 1,')).toBe(false);
  });
});
