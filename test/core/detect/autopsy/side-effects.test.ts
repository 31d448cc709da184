/** What calls left behind: edits, lasting commands and processes, not looks and failures. */
import { expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { sideEffects } from '../../../../src/core/detect/autopsy/side-effects.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const effectsOf = (parts: readonly Part[]) => sideEffects(autopsy('x', transcript(parts)).turns);

test('what was left behind is edits, lasting commands and processes, not looks and failures', () => {
  const effects = effectsOf([
    edit('a.ts', '1', '2'),
    edit('a.ts', '2', '3'),
    call('npm test 2>&1 | tail -5', 'ok'),
    call('git stash && npm install left-pad', 'done'),
    call('(node server.js > log.txt 2>&1 &); sleep 1', ''),
    failedCall('git push', 'rejected'),
  ]);
  expect(effects.map(({ kind, what, count }) => `${kind} ${what} ${count}`)).toEqual(
    expect.arrayContaining([
      'edited a.ts 2',
      'ran git stash 1',
      'ran npm install left-pad 1',
      'started node server.js 1',
    ]),
  );
  expect(
    effects.some(({ what }) => what.includes('push') || what.includes('tail') || what.includes('npm test')),
  ).toBe(false);
});

test('a look at the stash changes nothing and leaves nothing behind', () => {
  const effects = effectsOf([call('git branch -a; git stash list', '* main')]);
  expect(effects.filter(({ kind }) => kind === 'ran')).toEqual([]);
});
