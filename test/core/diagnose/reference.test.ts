import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { diagnoseReference } from '../../../scripts/eval-diagnose/reference.ts';

it('the reference page is what the data says (node scripts/reference-diagnose.ts writes it)', () => {
  expect(readFileSync(new URL('../../../docs/reference/diagnose.md', import.meta.url), 'utf8')).toBe(
    diagnoseReference(),
  );
});
