import { expect, it } from 'vitest';
import { usageError } from '../../src/platform/mayday-error.ts';
import { printError, asProblem } from '../../src/platform/print-error.ts';

const error = usageError('WRONG_CUP', 'the cup is wrong', [
  ['happened', 'it leaks'],
  ['do', 'take the blue one'],
  ['do', 'take the red one'],
]);

it('a label stands once, before the first of its lines', () => {
  let told = '';
  expect(printError(error, { write: (text) => (told += text) })).toBe(2);
  expect(told.split('\n')).toEqual([
    'mayday: the cup is wrong (WRONG_CUP)',
    '  happened    it leaks',
    '  do          take the blue one',
    '              take the red one',
    '',
  ]);
});

it('a program is told the same as a document; a broken promise of our own tells no stack', () => {
  expect(asProblem(error)).toEqual({
    type: 'urn:mayday:error:WRONG_CUP',
    title: 'the cup is wrong',
    code: 'WRONG_CUP',
    happened: ['it leaks'],
    did: [],
    do: ['take the blue one', 'take the red one'],
  });
  const broken = asProblem(new TypeError('x of undefined'));
  expect(broken.code).toBe('INTERNAL');
  expect(JSON.stringify(broken)).not.toContain('undefined');
});
