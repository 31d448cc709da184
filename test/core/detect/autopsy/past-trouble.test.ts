/** What a run that finished had on its way: a stretch that it got over, and the checks that ran elsewhere. */
import { describe, expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'Sort the shelf by colour.', role: 'person' };
const told = (parts: readonly Part[]) => autopsy('x', transcript([task, ...parts]));
const times = (count: number, part: (index: number) => Part): readonly Part[] =>
  Array.from({ length: count }, (_, index) => part(index));
const work = (count: number) =>
  times(count, (n) => call(`cat ${'abcdefghij'[n]}.txt`, `a book about ${'abcdefghij'[n]}, in many words`));
const done: Part = { say: 'The shelf is sorted and the tests pass.' };

describe('a run that finished', () => {
  test('tells the stretch that it got over', () => {
    const refused = failedCall('npm test', 'Error: the shelf is locked');
    const { state, gotOver } = told([
      ...work(2),
      ...times(6, () => refused),
      ...work(10),
      call('npm test', '4 passed'),
      done,
    ]);
    expect(state).toBe('finished');
    expect(gotOver?.groups[0]).toMatchObject({ count: 5, turn: { errorLine: 'Error: the shelf is locked' } });
  });
  test('without trouble tells none', () => {
    expect(told([...work(9), call('npm test', '4 passed'), done]).gotOver).toBeNull();
  });
});

describe('the checks of a pull request', () => {
  const pushed = [...work(3), edit('shelf.ts', 'a', 'b'), call('git push', 'ok')];
  const asked = (answer: string) => failedCall('gh pr checks 12', answer);
  test('that pass are the last check', () => {
    const green = call('gh pr checks 12', 'build\tpass\t1m\thttps://ci.test/1');
    expect(told([...pushed, asked('build\tpending\t0'), green, done]).lastCheck).toMatchObject({
      failed: false,
    });
  });
  test('that fail are a red one, and that are not decided are none', () => {
    expect(told([...pushed, asked('build\tfail\t1m\thttps://ci.test/1'), done]).lastCheck).toMatchObject({
      failed: true,
    });
    expect(told([...pushed, asked('build\tpending\t0\thttps://ci.test/1'), done]).lastCheck).toBeNull();
  });
});
