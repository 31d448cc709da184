/** What a model is given to judge a run: proven places and counts, nothing that reads as a reason. */
import { expect, test } from 'vitest';
import { autopsy } from '../../../../src/core/detect/autopsy/autopsy.ts';
import { storyExtract } from '../../../../src/core/detect/autopsy/story-extract.ts';
import { call, edit, failedCall, type Part, transcript } from '../transcript-builder.ts';

const task: Part = { say: 'Mend the reader of the settings.', role: 'person' };
const extract = (parts: readonly Part[]) => {
  const entries = transcript([task, ...parts]);
  return { entries, ...storyExtract(entries, autopsy('x', entries)) };
};
const red = failedCall('npm test', 'Error: no lamp\n1 failed');
const stuck: readonly Part[] = [
  edit('src/a.ts', 'a', 'b'),
  call('npm test', 'Tests  4 passed'),
  call('cat notes.md', 'the lamp is in the hall'),
  ...Array.from({ length: 8 }, () => red),
];

test('the extract of a stuck run names the stretch, what repeats, and what came before', () => {
  const { entries, stretch, repeats, line, lastGreen, lastChange, lastCheck } = extract(stuck);
  expect(stretch).toMatchObject({ toStep: entries.length - 1, edits: 0 });
  expect(repeats[0]).toMatchObject({ call: 'npm test', count: 8, failed: true, line: 'Error: no lamp' });
  expect(line).toMatchObject({ text: 'Error: no lamp', count: 8 });
  expect(lastChange?.callStep).toBe(1);
  expect(lastGreen).toMatchObject({ callStep: 3, failed: false });
  expect(lastCheck).toMatchObject({ step: entries.length - 1, failed: true });
});
