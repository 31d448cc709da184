import { expect, it } from 'vitest';
import { usesColour } from '../../../src/cli/render/colour.ts';

it.each([
  [true, {}, true],
  [false, {}, false],
  [true, { NO_COLOR: '1' }, false],
  [true, { NO_COLOR: '' }, true],
  [true, { TERM: 'dumb' }, false],
  [false, { FORCE_COLOR: '1' }, true],
  [true, { FORCE_COLOR: '0' }, false],
  [true, { NO_COLOR: '1', FORCE_COLOR: '1' }, true],
])('terminal %s with %o: colour %s', (isTTY, env, colour) => {
  expect(usesColour({ isTTY }, env)).toBe(colour);
});
