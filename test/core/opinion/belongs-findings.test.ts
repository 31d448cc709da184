import { describe, expect, it } from 'vitest';
import type { BelongsClaim } from '../../../src/core/opinion/belongs-answer.ts';
import { belongsFindings, isWorthAsking } from '../../../src/core/opinion/belongs-findings.ts';
import type { BelongsFile } from '../../../src/core/opinion/belongs-question.ts';

const file = (path: string, more: Partial<BelongsFile> = {}): BelongsFile => ({
  path,
  type: 'changed',
  readBefore: false,
  readNow: false,
  judge: null,
  ...more,
});
const claim = (path: string, more: Partial<BelongsClaim> = {}): BelongsClaim => ({
  path,
  role: 'judges_it',
  weakens: false,
  hunk: 1,
  quote: 'some line',
  why: 'because',
  ...more,
});

function found(files: readonly BelongsFile[], claims: readonly BelongsClaim[], confidence = 0.9) {
  const opinion = {
    by: 'claude',
    kind: 'belongs',
    quotes: [],
    checked: [],
    costUsd: null,
    tokens: null,
  } as const;
  return belongsFindings({ ...opinion, answer: { files: claims }, confidence }, files);
}

describe('a change is worth a question', () => {
  it.each([
    ['a judge was seen to change', [file('t.js', { judge: 'test' })]],
    ['a check read the file before', [file('a.js', { readBefore: true })]],
    ['it was not observed what the checks read', [file('a.js', { readBefore: null })]],
    ['many files stand against a short task', Array.from({ length: 20 }, (_, at) => file(`src/${at}.js`))],
    [
      'files lie far from what the checks read',
      [file('src/a.js', { readNow: true }), ...[1, 2, 3, 4, 5].map((at) => file(`old/${at}.js`))],
    ],
  ])('where %s', (_, files) => {
    expect(isWorthAsking('mend it', files)).toBe(true);
  });

  it('but not for new files that the checks read, with documents beside them', () => {
    const files = [
      file('src/a.js', { type: 'created', readNow: true }),
      file('README.md'),
      file('docs/a.md'),
    ];
    expect(isWorthAsking('add a', files)).toBe(false);
  });
});

describe('an answer adds', () => {
  it('a quoted weakening, also of a file that was observed to judge', () => {
    const files = [file('lib/near.js'), file('a.test.js', { judge: 'test' })];
    const claims = files.map(({ path }) => claim(path, { weakens: true }));
    const opinion = { weakens: true, quote: 'some line', says: 'because' };
    expect(found(files, claims).judges).toEqual(
      files.map(({ path }) => ({ path, why: 'opinion', by: 'claude', opinion })),
    );
  });

  it('a file that judges, unless it is new or was observed', () => {
    const files = [file('a', {}), file('b', { judge: 'loaded' }), file('c', { type: 'created' })];
    const claims = files.map(({ path }) => claim(path));
    expect(found(files, claims).judges.map(({ path }) => path)).toEqual(['a']);
  });

  it('every changed file of a folder that is unrelated', () => {
    const files = [file('old/a'), file('old/b'), file('older/c'), file('d')];
    const claims = [claim('old/', { role: 'unrelated' }), claim('d', { role: 'unrelated' })];
    expect(found(files, claims).unrelated.map(({ path }) => path)).toEqual(['old/a', 'old/b', 'd']);
  });

  it('nothing where it is less sure than not', () => {
    expect(found([file('a')], [claim('a', { weakens: true })], 0.4)).toEqual({ judges: [], unrelated: [] });
  });
});
