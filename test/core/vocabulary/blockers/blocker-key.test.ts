import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { blocker } from '../../../../src/core/vocabulary/blockers/blocker.ts';
import type { Blocker } from '../../../../src/core/vocabulary/blockers/blocker-rule.ts';
import { blockerCase } from '../../../../src/core/vocabulary/blockers/blocker-evidence.ts';
import { blockerKey, isKeyOf, keyText } from '../../../../src/core/vocabulary/blockers/blocker-key.ts';

const FAILED = {
  source: 'check',
  command: 'npm test',
  exitCode: 1,
  timedOut: false,
  flaky: null,
  before: null,
  output: ['1 failed'],
} as const;

describe('the key of a blocker', () => {
  it('is made of its fields and holds no sentence', () => {
    expect(blockerKey(blocker('check_failed', FAILED))).toEqual({
      code: 'check_failed',
      source: 'check',
      fields: { command: 'npm test', timedOut: false, exitCode: 1 },
    });
  });

  it('is the same for the same case with other output, and another for another exit code', () => {
    const key = blockerKey(blocker('check_failed', FAILED));
    expect(isKeyOf(key, blocker('check_failed', { ...FAILED, output: ['2 failed'] }))).toBe(true);
    expect(isKeyOf(key, blocker('check_failed', { ...FAILED, exitCode: 2 }))).toBe(false);
    expect(isKeyOf(key, blocker('verification_outdated', { ...FAILED, judges: [] }))).toBe(false);
  });

  it('does not depend on the order in which a store gives the fields back', () => {
    const stored = { fields: { exitCode: 1, timedOut: false, command: 'npm test' }, source: 'check' };
    expect(isKeyOf({ ...stored, code: 'check_failed' }, blocker('check_failed', FAILED))).toBe(true);
  });

  it('of an older journal is a sentence and still names its blocker, and no other', () => {
    const old = 'check_failed|npm test: exit 1';
    expect(isKeyOf(old, blocker('check_failed', FAILED))).toBe(true);
    expect(isKeyOf(old, blocker('check_failed', { ...FAILED, exitCode: 2 }))).toBe(false);
  });

  it('holds every field that the words for the case need, for each blocker of the recorded journals', () => {
    const recorded = readFileSync(new URL('../../../journals/version-2.jsonl', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n')
      .flatMap((line) => (JSON.parse(line) as { events: { blockers?: Blocker[] }[] }).events)
      .flatMap(({ blockers = [] }) => blockers);
    expect(new Set(recorded.map(({ code }) => code)).size).toBeGreaterThan(15);
    for (const found of recorded)
      expect(keyText(blockerKey(found))).toBe(`${found.code}|${blockerCase(found)}`);
  });
});
