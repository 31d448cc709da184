import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { STALENESS } from '../../../src/core/detect/staleness.ts';
import { DEFAULT_POLICY, isPolicyKey } from '../../../src/core/vocabulary/policy.ts';

const page = readFileSync(new URL('../../../docs/explanation/progress.md', import.meta.url), 'utf8');

test('the page on progress shows the thresholds that are in force', () => {
  const shown = [...page.matchAll(/^\| `(\w+)` \| ([\d.]+) \|$/gm)].map(
    ([, key = '', value]) => [key, Number(value)] as const,
  );
  expect(shown.length).toBeGreaterThan(10);
  for (const [key, value] of shown) {
    expect(isPolicyKey(key) ? [key, DEFAULT_POLICY[key]] : [key, 'unknown']).toEqual([key, value]);
  }
});

test('the page on progress shows every weight of staleness', () => {
  const shown = Object.fromEntries(
    [...page.matchAll(/\| `(\w+)` ([\d.]+) \|$/gm)].map(([, key = '', value]) => [key, Number(value)]),
  );
  expect(shown).toEqual(STALENESS);
});
