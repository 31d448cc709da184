import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globsOverlap, matchesGlob } from '../../../src/core/text/glob.ts';
import { type ChangedFile, isPattern, ruleFindings } from '../../../src/core/gates/rule-findings.ts';
import type { Rule } from '../../../src/core/vocabulary/rules.ts';
import { processorMs } from '../../processor-time.ts';

const RULE: Rule = {
  id: 'links',
  says: 'no link without rate limiting',
  file: 'links.yaml',
  paths: ['src/auth/**'],
  whenAdded: ['loginLink'],
  forbid: [],
  require: ['rateLimit'],
  requireChanged: [],
  checks: [],
  approval: null,
  touchPoint: false,
};

function file(path: string, ...lines: string[]): ChangedFile {
  return {
    path,
    type: 'changed',
    added: lines.map((text, index) => ({ line: index + 1, text })),
    leavesTo: null,
  };
}

it('a rule speaks only when its paths change and its lines appear', () => {
  expect(ruleFindings([RULE], [file('src/ui.ts', 'loginLink()')])).toEqual([]);
  expect(ruleFindings([RULE], [file('src/auth/a.ts', 'logout()')])).toEqual([]);
  expect(ruleFindings([RULE], [file('src/auth/a.ts', 'loginLink()')])).toMatchObject([
    { kind: 'missing', rule: 'links' },
  ]);
  expect(
    ruleFindings([RULE], [file('src/auth/a.ts', 'loginLink()'), file('src/limit.ts', 'rateLimit()')]),
  ).toEqual([]);
});

it('a rule without lines asks for nothing where its paths are untouched', () => {
  const rule = { ...RULE, whenAdded: [], requireChanged: ['docs/**'], checks: ['npm test'] };
  expect(ruleFindings([rule], [file('src/ui.ts', 'x')])).toEqual([]);
  expect(ruleFindings([rule], [file('src/auth/a.ts', 'x')]).map(({ kind }) => kind)).toEqual([
    'missing',
    'not_changed',
    'check',
  ]);
});

it('forbidden lines are named with their place', () => {
  const rule = { ...RULE, whenAdded: [], require: [], forbid: ['eval\\('] };
  expect(ruleFindings([rule], [file('src/auth/a.ts', 'ok', 'eval(x)')])[0]?.evidence).toEqual([
    'src/auth/a.ts:2: eval(x)',
  ]);
});

it('each part of a rule has its finding, with at most eight pieces of evidence', () => {
  const rule: Rule = {
    ...RULE,
    whenAdded: [],
    require: [],
    forbid: ['eval', 'exec'],
    requireChanged: ['test/**'],
    checks: ['npm audit'],
    approval: 'compose',
    touchPoint: true,
  };
  const lines = Array.from({ length: 9 }, () => `  exec(${'x'.repeat(300)})`);
  const found = ruleFindings([rule], [file('src/auth/a.ts', ...lines, 'fine'), file('b.ts', 'eval')]);
  expect(found.map(({ kind }) => kind)).toEqual([
    'forbidden',
    'not_changed',
    'check',
    'approval',
    'touch_point',
  ]);
  expect(found[0]?.evidence).toHaveLength(8);
  expect(found[0]?.evidence[0]).toBe(`src/auth/a.ts:1: exec(${'x'.repeat(195)}`);
  expect(found.slice(1).map(({ evidence }) => evidence)).toEqual([
    ['test/**'],
    ['npm audit'],
    ['src/auth/a.ts'],
    ['src/auth/a.ts'],
  ]);
  const kinds = (more: Partial<Rule>, ...change: ChangedFile[]) =>
    ruleFindings([{ ...rule, forbid: [], checks: [], touchPoint: false, ...more }], change).map(
      ({ kind }) => kind,
    );
  const changed = [file('src/auth/a.ts', 'x'), file('test/a.ts', 'x')];
  expect(kinds({ approval: 'before' }, ...changed)).toEqual([]);
  expect(kinds({ approval: null }, ...changed)).toEqual([]);
  expect(kinds({ approval: 'delivery' }, ...changed)).toEqual(['approval']);
});

it('what is missing is told with the lines that asked for it', () => {
  const [found] = ruleFindings([RULE], [file('src/auth/a.ts', 'loginLink()')]);
  expect(found?.evidence).toEqual(['nothing matches rateLimit', 'src/auth/a.ts:1: loginLink()']);
});

it('only the beginning of a long line is searched, and the ends of a text are those of a line', () => {
  const forbids = (pattern: string, ...lines: string[]) =>
    ruleFindings(
      [{ ...RULE, whenAdded: [], require: [], forbid: [pattern] }],
      [file('src/auth/a.ts', ...lines)],
    );
  expect(forbids('secret', `${'x'.repeat(2_000)}secret`)).toEqual([]);
  expect(forbids('secret', `${'x'.repeat(1_990)}secret`)).toHaveLength(1);
  expect(forbids('\\Asecret\\z', 'a', 'secret', 'b')[0]?.evidence).toEqual(['src/auth/a.ts:2: secret']);
});

it('a pattern is one that RE2 can read', () => {
  expect(isPattern('a+')).toBe(true);
  expect(isPattern('(?=a)')).toBe(false);
});

it('hostile patterns and lines are judged in linear time', () => {
  const rule = { ...RULE, whenAdded: [], require: [], forbid: ['(a+)+$', '(a|aa)*b'] };
  const lines = Array.from({ length: 200 }, () => 'a'.repeat(100_000));
  expect(processorMs(() => ruleFindings([rule], [file('src/auth/a.ts', ...lines)]))).toBeLessThan(5_000);
});

it('globs that share a path overlap', () => {
  const segment = fc.constantFrom('a', 'b', '*', '**', 'a*');
  const glob = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const path = fc
    .array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 4 })
    .map((parts) => parts.join('/'));
  fc.assert(
    fc.property(glob, glob, path, (one, other, at) => {
      fc.pre(matchesGlob(at, one) && matchesGlob(at, other));
      return globsOverlap([one], [other]);
    }),
  );
  expect(globsOverlap(['src/auth/**'], ['db/**'])).toBe(false);
  expect(globsOverlap(['src/**'], ['src/auth/login.ts'])).toBe(true);
});
