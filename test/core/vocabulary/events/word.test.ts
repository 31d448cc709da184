import { expect, it } from 'vitest';
import { isNotToldApart, proofOf } from '../../../../src/core/vocabulary/events/word.ts';

const HIDDEN = { homeHidden: true, asRoot: false, startedAt: 1 };

it('a word is proven by the key where every agent of the run was an ordinary user who could not see it', () => {
  expect(proofOf([HIDDEN, HIDDEN])).toBe('key');
  expect(isNotToldApart('accept_requested', { policy: { told_apart: 1 }, attempts: [HIDDEN] })).toBe(false);
});

it.each([
  ['had the folder in sight', { ...HIDDEN, homeHidden: false }],
  ['reached docker', { ...HIDDEN, doors: ['docker'] }],
  ['was root, who can change what programs outside run', { ...HIDDEN, asRoot: true }],
])('a word is not told apart from one of an agent that %s', (_, attempt) => {
  expect(proofOf([HIDDEN, attempt])).toBe('not_told_apart');
  const attempts = [attempt];
  expect(isNotToldApart('accept_requested', { policy: { told_apart: 1 }, attempts })).toBe(true);
  expect(isNotToldApart('accept_requested', { policy: { told_apart: 0 }, attempts })).toBe(false);
});
