import { expect, it } from 'vitest';
import { plain } from '../../../src/cli/render/plain.ts';
import { cleanText } from '../../../src/context/clean-text.ts';
import { printable } from '../../../src/core/diagnose/lines/clean-line.ts';
import { oneLine, quoteFenced } from '../../../src/core/text/quote-fenced.ts';
import { visibleText } from '../../../src/core/text/visible-text.ts';
import { quotedBlock } from '../../../src/core/view/brief/brief-text.ts';
import { renderMarkdown } from '../../../src/report/page/render-markdown.ts';

const UNSEEN: Readonly<Record<string, string>> = {
  'an escape': '\u001b',
  'a reversal of the direction': '\u202e',
  'a space without width': '\u200b',
  'an invisible tag': '\u{e0041}',
  'a private sign': '\ue000',
  'an unassigned sign': '\u0378',
  'half of a pair': '\ud800',
  'a line separator': '\u2028',
};

it.each(Object.keys(UNSEEN))('%s reaches neither a terminal, a brief, a lesson nor a report', (what) => {
  const sign = UNSEEN[what] as string;
  const text = `a${sign}b`;
  const page = {
    title: 't',
    subtitle: '',
    sections: [{ title: 's', blocks: [{ type: 'list' as const, items: [text], empty: '' }] }],
  };
  const shown = [
    visibleText(text),
    plain(text),
    printable(text),
    cleanText(text),
    oneLine(text),
    quoteFenced(text, 'mark'),
    quotedBlock('output', text, 'mark'),
    renderMarkdown(page),
  ];
  expect(shown.filter((each) => each.includes(sign))).toEqual([]);
});

it('letters, signs of other languages, line ends and tabs stay', () => {
  expect(visibleText('né\t日本\n🙂 ok')).toBe('né\t日本\n🙂 ok');
});
