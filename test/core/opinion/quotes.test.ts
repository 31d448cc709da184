import { expect, it } from 'vitest';
import { findQuote } from '../../../src/core/opinion/quotes.ts';

const entries = [
  { entry: 1, text: 'compiling src/a.ts' },
  { entry: 2, text: 'error TS2304: cannot find name' },
];

it('a quotation is found in the entry that holds it', () => {
  expect(findQuote(entries, ' cannot find name ')).toEqual({ entry: 2, text: 'cannot find name' });
});

it('a quotation that is not verbatim, too short, or in another entry than named is not found', () => {
  expect(findQuote(entries, 'Cannot find names')).toBe(null);
  expect(findQuote(entries, 'error')).toBe(null);
  expect(findQuote(entries, 'cannot find name', 1)).toBe(null);
});
