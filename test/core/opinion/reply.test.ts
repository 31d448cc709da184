import { describe, expect, it } from 'vitest';
import { manyOf, choice, readForm, replyValue, sentence, share } from '../../../src/core/opinion/reply.ts';

const FORM = {
  kind: choice(['a', 'b']),
  why: sentence(20),
  confidence: share,
  names: manyOf(sentence(5), 2),
};
const GOOD = { kind: 'a', why: 'because', confidence: 0.5, names: ['x'] };

describe('the one JSON object of a reply', () => {
  it('is found alone, between fences and between words', () => {
    expect(replyValue('{"a":1}')).toEqual({ a: 1 });
    expect(replyValue('```json\n{"a":1}\n```')).toEqual({ a: 1 });
    expect(replyValue('I think {"a":{"b":2}} is it.')).toEqual({ a: { b: 2 } });
  });

  it('is nothing where there are two, none, or far too much', () => {
    expect(replyValue('{"a":1} or {"a":2}')).toBe(null);
    expect(replyValue('no idea')).toBe(null);
    expect(replyValue(`{"a":"${'x'.repeat(40_000)}"}`)).toBe(null);
  });
});

describe('a closed form', () => {
  it('takes over what it names', () => {
    expect(readForm(GOOD, FORM)).toEqual(GOOD);
  });

  it.each([
    ['a list', [GOOD], 'not one JSON object'],
    ['another key', { ...GOOD, approve: true }, 'approve'],
    ['a missing key', { kind: 'a', why: 'x', names: [] }, 'confidence'],
    ['a word that is not of the list', { ...GOOD, kind: 'c' }, 'kind'],
    ['a share above one', { ...GOOD, confidence: 7 }, 'confidence'],
    ['a thousand names', { ...GOOD, names: Array.from({ length: 1000 }, () => 'x') }, 'names'],
  ])('refuses %s and says what is wrong', (_, value, reason) => {
    expect(readForm(value, FORM)).toContain(reason);
  });

  it('takes a sentence as one line without what a person cannot see, cut to its length', () => {
    const read = readForm({ ...GOOD, why: 'a\u001b[31mb\nc\u202ed and far too long' }, FORM);
    expect(read).toMatchObject({ why: 'a [31mb c d and far ' });
  });
});
