import { expect, test } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';

test('a common noun is not the name of a module', () => {
  const found = diagnose({ output: 'Could not find directory of Zeta installation', command: 'make' });
  expect(`${found.rootCause} ${found.humanInstructions}`).not.toMatch(/module directory|Install directory/);
});

test('the name of a package still is', () => {
  const found = diagnose({
    output: 'CMake Error: Could NOT find ZLIB (missing: ZLIB_LIBRARY)',
    command: 'cmake .',
  });
  expect(found.rootCause).toContain('ZLIB');
});
