import { expect, it } from 'vitest';
import { inOrder } from '../../../src/core/text/in-order.ts';

it('parts follow each other, a list is any one of its members, and the flags are those of the first part', () => {
  const pattern = inOrder(/^could not /i, [/open|find/i, /load/i], / file$/i);
  expect(String(pattern)).toBe('/^could not (?:open|find|load) file$/i');
  expect(pattern.test('COULD NOT load file')).toBe(true);
  expect(pattern.test('load file')).toBe(false);
});

it('a list may come first, and a question mark makes the list before it optional', () => {
  expect(String(inOrder([/a/u, /b/u], '?', /c/u))).toBe('/(?:a|b)?c/u');
});

it('a name holds what its part or one of its list matched', () => {
  const pattern = inOrder(/^/, { level: [/error/, /warning/] }, /: /, { text: /.+/ });
  expect(String(pattern)).toBe('/^(?<level>error|warning): (?<text>.+)/');
  expect(pattern.exec('warning: low disk')?.groups).toEqual({ level: 'warning', text: 'low disk' });
});

it('a pattern of parts can itself be a part', () => {
  expect(String(inOrder(/x/, [inOrder(/a/, [/b/, /c/]), /d/]))).toBe('/x(?:a(?:b|c)|d)/');
});
