import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { waitForAll } from '../../src/platform/wait-for-all.ts';

it('a part that fails is told when the others have ended', async () => {
  let hasEnded = false;
  const slow = async () => {
    await nextTurn();
    hasEnded = true;
  };
  await expect(waitForAll([Promise.reject(new Error('early')), slow()])).rejects.toThrow('early');
  expect(hasEnded).toBe(true);
});

it('of parts that fail, the first in the list is told', async () => {
  const later = nextTurn().then(() => Promise.reject(new Error('first')));
  await expect(waitForAll([later, Promise.reject(new Error('second'))])).rejects.toThrow('first');
});

it('what the parts give is given in their order', async () => {
  expect(await waitForAll([nextTurn('one'), 2, null])).toEqual(['one', 2, null]);
});
