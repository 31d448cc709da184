/** The line that names a failure that repeats. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const times = (count: number, part: (index: number) => readonly Part[]): readonly Part[] =>
  Array.from({ length: count }, (_, index) => part(index)).flat();
const change = (index: number) => edit('src/mill.ts', `n = ${index}`, `n = ${index + 1}`);

function told(parts: readonly Part[]) {
  const found = autopsy(
    'x',
    transcript([{ say: 'Let the mill grind again.', role: 'person' }, ...parts]),
    diagnose,
  );
  return { found };
}

describe('the line that is told', () => {
  test('is what a count announces, not the count', () => {
    const red = failedCall(
      'stone check',
      'ValidationError: 1 validation error for Mill\nwheel_size\n  Field required',
    );
    const { found } = told(times(6, (n) => [change(n), red]));
    expect(found.repeats?.turn.errorLine).toContain('wheel_size · Field required');
  });
});
