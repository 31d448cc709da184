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

test('at most six turns are to be shown in full, each once, in order', () => {
  const { shown } = extract(stuck);
  const steps = shown.map(({ step }) => step);
  expect(steps.length).toBeLessThanOrEqual(6);
  expect(steps).toEqual([...new Set(steps)].toSorted((a, b) => a - b));
  expect(steps).toContain(4);
});

test('a run without trouble has no stretch and no repeated line', () => {
  const { stretch, line, repeats, lastWords } = extract([
    call('ls', 'src'),
    edit('src/a.ts', 'a', 'b'),
    call('npm test', 'Tests  4 passed'),
    { say: 'The reader is mended.' },
  ]);
  expect({ stretch, line, repeats, lastWords }).toEqual({
    stretch: null,
    line: null,
    repeats: [],
    lastWords: 'The reader is mended.',
  });
});
