import { expect, test } from 'vitest';
import { gathered } from '../../../src/record/postgres/gathered.ts';

test('what is asked for in one turn of the event loop is one question; each thing stands in it once', async () => {
  const questions: (readonly string[])[] = [];
  const ask = gathered(async (keys: readonly string[]) => {
    questions.push(keys);
    return keys.join();
  });
  expect(await Promise.all(['a', 'b', 'a'].map(ask))).toEqual(['a,b', 'a,b', 'a,b']);
  expect(await ask('c')).toBe('c');
  expect(questions).toEqual([['a', 'b'], ['c']]);
});

test('an answer never comes from a question that began before it was asked for', async () => {
  let begun = 0;
  let answer = () => {};
  const ask = gathered(async () => {
    begun += 1;
    const mine = begun;
    if (mine === 1) await new Promise<void>((done) => (answer = done));
    return mine;
  });
  const first = ask('a');
  await expect.poll(() => begun).toBe(1);
  // The first question is under way: this one is another.
  expect(await ask('a')).toBe(2);
  answer();
  expect(await first).toBe(1);
}, 20_000);

test('a question that fails has failed for all that asked, and the next one is asked anew', async () => {
  let asked = 0;
  const ask = gathered(async () => {
    asked += 1;
    if (asked === 1) throw new Error('away');
    return asked;
  });
  const both = await Promise.allSettled([ask('a'), ask('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await ask('a')).toBe(2);
});
