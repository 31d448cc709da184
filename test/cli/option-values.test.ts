import { expect, test } from 'vitest';
import { numberOf, secondsOf, wholeNumberOf } from '../../src/cli/option-values.ts';

const given = (value: string) => ({ options: { n: value } });
const WRONG = expect.objectContaining({ code: 'WRONG_NUMBER' }) as Error;

test.each(['Infinity', '1e9', '2147484', '0', '-1', '', ' ', 'soon', 'NaN', '0x10'])(
  'a time of %j seconds is refused: a timer of it would fire at once, or never',
  (value) => expect(() => secondsOf(given(value), 'n')).toThrow(WRONG),
);

test('a time in seconds may have parts of one', () => {
  expect(secondsOf(given('0.05'), 'n')).toBe(50);
  expect(secondsOf(given('2147483'), 'n')).toBe(2_147_483_000);
  expect(secondsOf({ options: {} }, 'n')).toBeUndefined();
});

test('a number is finite and written in digits', () => {
  expect(numberOf(given('2.50'), 'n')).toBe(2.5);
  expect(numberOf(given('1e300'), 'n')).toBe(1e300);
  for (const value of ['', ' ', 'Infinity', 'NaN', 'five'])
    expect(() => numberOf(given(value), 'n')).toThrow(WRONG);
});

test('a whole number has no parts, and stays in its bounds', () => {
  expect(wholeNumberOf(given('0'), 'n', { min: 0 })).toBe(0);
  expect(wholeNumberOf(given('-9'), 'n', { min: -255 })).toBe(-9);
  for (const value of ['1.5', '-1', '1e3', ' 1', '9999999999'])
    expect(() => wholeNumberOf(given(value), 'n', { min: 0 })).toThrow(WRONG);
});
