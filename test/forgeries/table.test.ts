/** The list of forgeries says where each is proven: the defence is a file of the source, the proof a test of that name. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DEFENCES } from './defences.ts';
import { hasTest } from './has-test.ts';
import { PROMISE_SWITCHES } from './promise-switches.ts';
import { FORGERIES, ROOT } from './table.ts';

const SWITCHES = [...DEFENCES, ...PROMISE_SWITCHES];

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

it.each(SWITCHES)('the switch of "$defence" fits the source', ({ file, from }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(from)).toHaveLength(2);
});

it.each(SWITCHES)('the tests named by the switch of "$defence" exist', ({ proof: { file, titles } }) => {
  const missing = titles.filter((title) => !hasTest(file, title));
  expect(missing, `${file} has no test of this title: rename it in the switch, or the test back`).toEqual([]);
});

it.each([
  ['a title that is written whole', 'test/forgeries/table.test.ts', 'names at least twenty', true],
  [
    'a title that is no longer there',
    'test/forgeries/table.test.ts',
    ['names at', 'least thirty'].join(' '),
    false,
  ],
  ['a title with a name of its table', 'test/act/workspace/repository-changes.test.ts', 'tells grafts', true],
  ['a title with a name of no table', 'test/act/workspace/repository-changes.test.ts', 'tells crafts', false],
])('%s is looked up', (_, file, title, exists) => expect(hasTest(file, title)).toBe(exists));
