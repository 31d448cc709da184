import { expect, it } from 'vitest';
import { firstLine } from '../../../src/core/text/first-line.ts';

it('is the first line with something on it, without white space around it', () => {
  expect(firstLine('\r\n  \n fix the login \r\nand more')).toBe('fix the login');
  expect(firstLine(' \n')).toBe('');
});
