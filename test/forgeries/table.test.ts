/** The list of forgeries says where each is proven: the defence is a file of the source, the proof a test of that name. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEFENCES } from './defences.ts';
import { PROMISE_SWITCHES } from './promise-switches.ts';
import { FORGERIES, ROOT } from './table.ts';

it('names at least twenty', () => {
  expect(FORGERIES.length).toBeGreaterThanOrEqual(20);
});

it.each(FORGERIES)('$forgery', ({ ends, defence, file, title }) => {
  expect(ends).toMatch(
    /^(?:refused|question|told|not to be had|not run|not read|gate again, then question|squashed)/,
  );
  expect(existsSync(join(ROOT, defence)), defence).toBe(true);
  const proof = readFileSync(join(ROOT, file), 'utf8').replaceAll("\\'", "'");
  expect(proof).toContain(title);
});

it('every defence of the list can be taken out by a switch', () => {
  const switched = new Set(DEFENCES.map(({ file }) => file));
  expect(FORGERIES.map(({ defence }) => defence).filter((defence) => !switched.has(defence))).toEqual([]);
});

it.each([...DEFENCES, ...PROMISE_SWITCHES])('the switch of "$defence" fits the source', ({ file, from }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(from)).toHaveLength(2);
});

it('a switch names a test that there is', () => {
  const wrong = PROMISE_SWITCHES.filter(({ proof: { file, titles } }) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    // Tests of a contract are in the files that its suite imports.
    return !file.startsWith('test/contracts/') && !titles.every((title) => text.includes(title));
  });
  expect(wrong).toEqual([]);
});
