import { describe, expect, it } from 'vitest';
import { columns } from '../../../src/core/text/columns.ts';
import { plainLine } from '../../../src/cli/render/plain.ts';
import { cutToWidth, textWidth, wrapToWidth } from '../../../src/core/text/width.ts';

describe('the width of a text', () => {
  it.each([
    ['abc', 3],
    ['漢字', 4],
    ['ｆｕｌｌ', 8],
    ['한글', 4],
    ['🚑', 2],
    ['e\u0301', 1],
    ['…·▸✓', 4],
    ['🇩🇪', 2],
  ])('of %s is %i', (text, width) => {
    expect(textWidth(text)).toBe(width);
  });
});

describe('a text that is too wide', () => {
  it('is cut by cells, never through a character, and ends with an ellipsis', () => {
    expect(cutToWidth('漢字漢字', 5)).toBe('漢字…');
    expect(cutToWidth('漢字漢字', 4)).toBe('漢…');
    expect(cutToWidth('abc', 3)).toBe('abc');
    expect(plainLine('修复 上传', 6)).toBe('修复 …');
  });

  it('is wrapped at blanks, below its own indentation; a word without blanks is broken', () => {
    expect(wrapToWidth('   one two three', 10)).toEqual(['   one two', '   three']);
    expect(wrapToWidth('12:00 one two three', 12, { hanging: 6 })).toEqual([
      '12:00 one',
      '      two',
      '      three',
    ]);
    expect(wrapToWidth('漢字漢字漢', 5)).toEqual(['漢字', '漢字', '漢']);
    expect(wrapToWidth('', 5)).toEqual(['']);
  });

  it.each([
    [
      '14:45   ! the agent ended by SIGINT',
      21,
      ['14:45   ! the agent', '          ended by', '          SIGINT'],
    ],
    ['  why  one two three', 14, ['  why  one two', '       three']],
    ['✓ my disk  has room for many logs', 23, ['✓ my disk  has room for', '           many logs']],
    ['  1  expand the scope', 12, ['  1  expand', '     the', '     scope']],
    ['  - one two three', 10, ['  - one', '    two', '    three']],
    ['a sentence of words', 10, ['a sentence', 'of words']],
  ])('goes on under the words of %j', (text, width, lines) => {
    expect(wrapToWidth(text, width)).toEqual(lines);
  });

  it('keeps an address whole where it has to be copied', () => {
    const link = `http://127.0.0.1:4000/${'x'.repeat(20)}`;
    expect(wrapToWidth(`  open ${link} now`, 20, { keepsWords: true })).toEqual([
      '  open',
      `  ${link}`,
      '  now',
    ]);
  });

  it('is measured without the sequences that colour it', () => {
    expect(textWidth('\u001B[1;33mneeds you\u001B[0m')).toBe(9);
    expect(wrapToWidth('\u001B[1mone\u001B[0m two', 7)).toEqual(['\u001B[1mone\u001B[0m two']);
  });

  it('ends in lines that fit, whatever the width', () => {
    const text = '  a long 漢字漢字漢字 sentence with averyveryverylongword 🚑🚑 in it';
    for (let width = 2; width < 60; width += 1)
      for (const line of wrapToWidth(text, width, { hanging: 10 }))
        expect(textWidth(line), line).toBeLessThanOrEqual(width);
  });
});

it('columns stay straight below wide characters', () => {
  expect(
    columns([
      ['漢字', 'x'],
      ['a', 'y'],
    ]),
  ).toBe('漢字  x\na     y\n');
});
