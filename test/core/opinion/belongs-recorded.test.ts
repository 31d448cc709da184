/** The answers of a blind reader to the prompts as the port makes them, to changes that somebody else wrote and labelled before. */
import { expect, it } from 'vitest';
import {
  type BelongsCase,
  questionOf,
  readLines,
  scoreOf,
} from '../../../scripts/eval-belongs/belongs-cases.ts';
import { MAX_PROMPT_CHARS } from '../../../src/core/opinion/opinion-question.ts';

const RECORDINGS = new URL('../../recordings/opinion/', import.meta.url).pathname;
const cases = readLines<BelongsCase>(`${RECORDINGS}belongs-cases.jsonl`);
const answers = readLines<{ file: string; reply: string }>(`${RECORDINGS}belongs-answers.jsonl`);
const replies = new Map(answers.map(({ file, reply }) => [file, reply]));

const scored = cases.map((one) => ({ label: one.label, ...scoreOf(one, replies) }));

it('seven changes that weaken what judges are named with their hunk', () => {
  expect(scored).toHaveLength(7);
  // A prompt that is not as it was has no recorded answer: then the answers must be given anew.
  expect(scored.filter(({ outcome }) => outcome !== 'right')).toEqual([]);
});

it('no prompt is longer than its bound', () => {
  expect(Math.max(...cases.map((one) => questionOf(one).prompt.length))).toBeLessThanOrEqual(
    MAX_PROMPT_CHARS,
  );
});
