/** `comparisonAt`: what a failing assertion compared: expected, actual, and the call that returned it, in any runner's words. */
import { inLines } from './in-lines.ts';

export interface Comparison {
  readonly expected: string;
  readonly actual: string;
  readonly call: string;
}

/** An assertion and its details stand within a screenful. */
const BLOCK = 14;
/** The source of the assertion may stand before its values. */
const VALUES = 30;

const ONE_LINE: readonly RegExp[] = [
  // An assertion that begins its line is source: it tells what was written, not what the values were.
  /(?<!^(?:> ?)?)assert (?<actual>[^=!<>]{1,80}) == (?<expected>.{1,80})$/,
  /expected:? <?\[?(?<expected>[^<>]{1,80}?)\]?>? but (?:was|got|received):? <?\[?(?<actual>[^<>]{1,80}?)\]?>?$/i,
  inLines('i')`
  expected (?<actual>.{1,80}?) to (?:be(?! a kind of | an instance of )|equal|deeply equal|strictly equal|eq|eql|
  loosely equal) (?<expected>.{0,79}?[^:\s])(?: \/\/.*)?$`,
  /Failed asserting that (?<actual>.{1,80}) (?:matches expected|is identical to|is equal to) (?<expected>.{1,80}?)\.?$/,
  /AssertionError: (?<actual>.{1,80}) != (?<expected>.{1,80})$/,
  /(?:want|expected):? (?!to )(?<expected>[^,;]{1,80})[,;] ?(?:got|but got|actual):? (?<actual>.{1,80})$/i,
  /got:? (?<actual>[^,;]{1,80})[,;] ?(?:want|expected):? (?<expected>.{1,80})$/i,
  /^(?<actual>[^(){};]{1,80}) !== (?<expected>[^(){};]{1,80})$/,
  /= (?<actual>[^;]{1,80}); want (?<expected>.{1,80})$/,
];
// The comma behind a property of a printed object is not part of its value.
const EXPECTED = /^(?:E )?(?:\+ )?-? ?(?:expected|right|want)(?: value)?(?: was)?:? (?<value>.{1,200}?),?$/i;
const ACTUAL =
  /^(?:E )?(?:\+ )?\+? ?(?:received|actual|left|got|but was)(?: value)?:? (?<value>.{1,200}?),?$/i;

export function comparisonAt(lines: readonly { readonly text: string }[], at: number): Comparison | null {
  const block = lines.slice(Math.max(0, at - 2), at + BLOCK).map((line) => line.text);
  const call =
    block
      .map((text) => /where .{1,80} = (?<call>[\w.]{1,80}\([^)]{0,120}\))/.exec(text)?.groups?.['call'])
      .find((found) => found !== undefined) ?? '';
  const order = [...block.slice(2), ...block.slice(0, 2)];
  // Behind `code:` stands the source of the assertion; the values follow.
  for (const text of order.filter((each) => !each.startsWith('code: ')))
    for (const pattern of ONE_LINE) {
      const found = pattern.exec(text)?.groups;
      if (found !== undefined)
        return { expected: tidy(found['expected']), actual: tidy(found['actual']), call };
    }
  let expected = '';
  let actual = '';
  const values = lines.slice(Math.max(0, at - 2), at + VALUES).map((line) => line.text);
  const end = values.indexOf('', BLOCK);
  for (const text of end === -1 ? values : values.slice(0, end)) {
    expected ||= EXPECTED.exec(text)?.groups?.['value'] ?? '';
    actual ||= ACTUAL.exec(text)?.groups?.['value'] ?? '';
  }
  return expected !== '' && actual !== '' ? { expected: tidy(expected), actual: tidy(actual), call } : null;
}

function tidy(value: string | undefined): string {
  return (value ?? '')
    .trim()
    .replace(/(?<=[a-z])\.$/, '')
    .replace(/^['"`](.+)['"`]$/, '$1');
}
