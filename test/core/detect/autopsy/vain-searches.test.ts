/** A run that hunts for one name in other words each time is stuck in that. */
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
const told = (parts: readonly Part[]) => autopsy('x', transcript(parts), diagnose);

test('searches for one name that find nothing new are counted, each once', () => {
  const more = ['TidalClock|tidalClock', 'tidal.?clock', 'Tidal', 'tidalclock', 'tidal-clock', 'TIDAL'];
  const looks = more.flatMap((words) => [
    search(words),
    { call: JSON.stringify({ file_path: `${words}.go` }), tool: 'Read', result: `package ${words}` },
  ]);
  const found = told([...begin, ...hunt, ...looks]);
  expect(found.state).toBe('stuck');
  expect(found.rootCause).toContain('9 searches for TidalClock found nothing new');
  expect(found.next.startHere).toContain('git log -S TidalClock');
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
