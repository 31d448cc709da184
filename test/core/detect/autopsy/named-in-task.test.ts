/** A name of the task that no search finds is told as gone, with what the record says became of it. */
import { expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { sideEffects } from '../../../../src/core/detect/autopsy/side-effects.ts';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import { call, edit, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'Let the quay use our TidalClock from the common package.', role: 'person' };
const begin: readonly Part[] = [
  task,
  call('cat quay.go', 'package quay'),
  edit('quay.go', 'package quay', 'package quay // tides'),
];
const search = (words: string, found = '') => call(`rg -n "${words}" .`, found);
const hunt: readonly Part[] = [
  search('TidalClock'),
  search('tidal'),
  search('tidal_clock'),
  call('ls common', 'lamp.go rope.go'),
  search('Clock', ''),
  call('git branch -a; git stash list', '* main'),
  call('grep -rl TidalClock /opt/go/pkg; echo rc=$?', 'rc=1'),
];
const history = call(
  'git log --oneline -STidalClock',
  '4be1c07 common: almanac lives in seabed now, removed here\n0d9a7f2 common: add TidalClock',
);
const told = (parts: readonly Part[]) => autopsy('x', transcript(parts), diagnose);

test('the history that tells what became of it is the cause, and the person is asked', () => {
  const found = told([...begin, ...hunt, history, search('TidalClock|tidalClock'), search('tidal.?clock')]);
  expect(found.state).toBe('stuck');
  expect(found.rootCause).toContain('searches for TidalClock');
  expect(found.rootCause).toContain('4be1c07 common: almanac lives in seabed now, removed here');
  expect(found.next.startHere).toContain('ask what to use: the history has it (`git show 0d9a7f2`)');
});

test('where nothing tells it, it is only said that the name is not there', () => {
  const found = told([...begin, ...hunt, search('TidalClock|tidalClock'), search('tidal.?clock')]);
  expect(found.rootCause).toContain('it is not there under that name');
});

test('a search that finds the name is no hunt in vain', () => {
  const hit = search('TidalClock', 'common/almanac.go:3: type TidalClock struct');
  const found = told([...begin, ...hunt, search('tidal.?clock'), search('Tidal'), hit]);
  expect(found.state).toBe('progressing');
});

test('a look at the stash changes nothing and leaves nothing behind', () => {
  const { lastChange, turns } = told([...begin, ...hunt]);
  expect(lastChange?.edit?.path).toBe('quay.go');
  expect(sideEffects(turns).filter(({ kind }) => kind === 'ran')).toEqual([]);
});
