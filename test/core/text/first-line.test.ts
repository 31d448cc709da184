import { expect, it } from 'vitest';
import { firstLine, firstSentence, lastSentence } from '../../../src/core/text/first-line.ts';

it('is the first line with something on it, without white space around it', () => {
  expect(firstLine('\r\n  \n fix the login \r\nand more')).toBe('fix the login');
  expect(firstLine(' \n')).toBe('');
});

it('of several sentences the first and the last one, and no sentence inside a quotation', () => {
  const text = 'c.txt was changed, but is outside the scope. Expand the scope to include c.txt?';
  expect(firstSentence(text)).toBe('c.txt was changed, but is outside the scope.');
  expect(lastSentence(text)).toBe('Expand the scope to include c.txt?');
  const quoted = 'The agent asks: <<k Which store? SQLite? k>>';
  expect([firstSentence(quoted), lastSentence(quoted)]).toEqual(
    Array(2).fill('The agent asks: “Which store? SQLite?”'),
  );
  expect(lastSentence('')).toBe('');
});
