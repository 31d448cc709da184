import fc from 'fast-check';
import { expect, it } from 'vitest';
import { globsOverlap, matchesGlob } from '../../../src/core/text/glob.ts';
import { type ChangedFile, ruleFindings } from '../../../src/core/gates/rule-findings.ts';
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

it('forbidden lines are named with their place', () => {
  const rule = { ...RULE, whenAdded: [], require: [], forbid: ['eval\\('] };
  expect(ruleFindings([rule], [file('src/auth/a.ts', 'ok', 'eval(x)')])[0]?.evidence).toEqual([
    'src/auth/a.ts:2: eval(x)',
  ]);
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
