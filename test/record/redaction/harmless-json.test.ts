import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonOrNull } from '../../../src/core/text/json.ts';
import { harmlessJson } from '../../../src/record/redaction/harmless-json.ts';

const MAX_DEPTH = 4;
const TEXT = /"(?:[^"\\]|\\.)*"/g;
const isHarmless = (written: string): boolean =>
  !written.includes('S') && jsonOrNull(`"${written}"`) !== null;

/** The slow way: by its values, and with no document before it in mind. */
function isHarmlessByValue(json: string): boolean {
  const value = jsonOrNull(`[${json}]`) as [unknown] | null;
  const betweenTexts = json.replaceAll(TEXT, '');
  if (value?.length !== 1 || !'"{['.includes(json.charAt(0)) || depthOf(betweenTexts) > MAX_DEPTH)
    return false;
  return !/\s/.test(betweenTexts) && (json.match(TEXT) ?? []).every((text) => !text.includes('S'));
}

/** By what is written: of a name that stands twice, the values have only the last. */
function depthOf(betweenTexts: string): number {
  let [depth, deepest] = [0, 0];
  for (const char of betweenTexts) {
    depth += '{['.includes(char) ? 1 : ']}'.includes(char) ? -1 : 0;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

// Few words, so that one document is often like another in all but a character. `S` stands for a secret.
const word = fc.constantFrom(
  '',
  'a',
  'ab',
  'S',
  'aS',
  ',',
  '"',
  '\\',
  ':',
  '[',
  '}',
  '1',
  'é',
  '\n',
  'a long text, with "quotes" in it',
);
const { any } = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: MAX_DEPTH + 1, withCrossShrink: true },
    word,
    fc.constantFrom(0, 1, 12, 123, -1.5, 1e30, true, false, null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(word, tie('any'), { maxKeys: 4 }),
  ),
}));
const object = fc.tuple(any, any, any).map(([b, c, d]) => JSON.stringify({ a: 'a', b, c, d }));
/** Changes to a document: characters taken out and put in, lists turned into objects, values put in at some place. */
const change = fc.record({
  at: fc.nat(),
  taken: fc.nat(3),
  put: fc.oneof(
    fc.constantFrom(
      '',
      '',
      ',',
      '"',
      '\\',
      ':',
      '{',
      '}',
      '[',
      ']',
      '1',
      ' ',
      'S',
      ',1',
      '"S"',
      ',"S":1',
      '\\"',
      '{}',
      '[1]',
    ),
    any.map((value) => `${JSON.stringify(value)},`),
    any.map((value) => `"b":${JSON.stringify(value)},`),
  ),
});

it('says of every document what it says without those before it, and what its values say', () => {
  const seen = { harmless: 0, not: 0 };
  fc.assert(
    fc.property(
      fc.array(fc.tuple(object, fc.array(change, { maxLength: 5 })), { minLength: 1, maxLength: 3 }),
      (all) => {
        const remembers = harmlessJson(MAX_DEPTH, isHarmless);
        for (const [document, changes] of all) {
          let json = document;
          for (const { at, taken, put } of [{ at: 0, taken: 0, put: '' }, ...changes]) {
            const place = at % (json.length + 1);
            const changed = `${json.slice(0, place)}${put}${json.slice(place + taken)}`;
            const slowly = isHarmlessByValue(changed);
            expect(harmlessJson(MAX_DEPTH, isHarmless)(changed), changed).toBe(slowly);
            expect(remembers(changed), `${changed} after ${json}`).toBe(slowly);
            seen[slowly ? 'harmless' : 'not'] += 1;
            // Most changes break it: the next one is made to what was harmless.
            if (slowly) json = changed;
          }
        }
      },
    ),
    { numRuns: 1000 },
  );
  expect(seen.harmless).toBeGreaterThan(300);
  expect(seen.not).toBeGreaterThan(300);
});

it('asks only about texts that the document before did not have at the same place', () => {
  const asked: string[] = [];
  const remembers = harmlessJson(MAX_DEPTH, (written) => asked.push(written) > 0);
  const document = (why: string, tried: readonly string[]) =>
    JSON.stringify({
      run: 'k7f2',
      why,
      tried: tried.map((by) => ({ by, ended: null })),
      done: { text: 'no "end"' },
    });
  expect(remembers(document('it begins', ['one']))).toBe(true);
  asked.length = 0;
  expect(remembers(document('it goes on', ['one', 'two']))).toBe(true);
  expect(asked).toEqual(['it goes on', 'by', 'two', 'ended']);
});

it.each([
  ['a list', '{"a":"a","b":[1]}', 'an object', '{"a":"a","b":{1}}'],
  ['a name', '{"a":"a","b":1}', 'another name', '{"a":"a","S":1}'],
  ['a number', '{"a":"a","b":1}', 'what begins as it', '{"a":"a","b":1"S"}'],
  ['a list', '{"a":"a","b":[1]}', 'a longer one', '{"a":"a","b":[1,"S"]}'],
  [
    'a name',
    '{"a":"a","b":1}',
    'the same name, written before it with too deep a value',
    '{"a":"a","b":{"a":[[{}]]},"b":1}',
  ],
  [
    'a text that ends with an escaped quote',
    '{"a":"a","b":"\\\\\\"S"}',
    'one that ends there',
    '{"a":"a","b":"\\\\","S":1}',
  ],
])('%s (%s) does not vouch for %s: %s', (_, before, __, json) => {
  const remembers = harmlessJson(MAX_DEPTH, (written) => !written.startsWith('S'));
  expect(remembers(before)).toBe(true);
  expect(remembers(json)).toBe(false);
});
