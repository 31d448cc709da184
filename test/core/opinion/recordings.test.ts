/**
 * What a blind reader answered to the prompts of our own captures (test/recordings/opinion), replayed through the check and the weighing as
 * they are now. Of outputs that belong to others only the class, the confidence and the place of the quotation are stored.
 */
import { expect, it } from 'vitest';
import { readRows } from '../../../scripts/eval-diagnose/row.ts';
import { isRight, namesCause } from '../../../scripts/eval-diagnose/score.ts';
import { readRow } from '../../../scripts/eval-opinion/asked-rows.ts';
import { Recordings } from '../../../scripts/eval-opinion/recordings.ts';
import { weighedRows } from '../../../scripts/eval-opinion/weighed-rows.ts';

const at = (path: string): string => new URL(`../../${path}`, import.meta.url).pathname;
const CAPTURES = at('recordings/opinion/diagnose-captures.jsonl');

it('what a reader answered to our captures is borne out, right, and never makes a right answer wrong', async () => {
  const recordings = new Recordings([CAPTURES]);
  const answered = new Set(recordings.ids);
  const rows = readRows(at('fixtures/corpus/dev.jsonl')).filter(({ id }) => answered.has(id));
  expect(rows.length).toBe(answered.size);
  const weighed = await weighedRows(
    rows.map(readRow).map((row) => ({ ...row, isAsked: true })),
    recordings,
  );
  for (const { read, outcome, got } of weighed) {
    const { row, rules } = read;
    if (outcome?.type !== 'answered') continue;
    expect.soft([row.failure_type, row.second_label], row.id).toContain(outcome.opinion.answer.class);
    expect.soft(isRight({ row, got }) || !isRight({ row, got: rules }), row.id).toBe(true);
  }
  const named = weighed.filter(({ read }) => read.row.root_cause_line !== '');
  const first = named.filter(({ read, got }) => namesCause(read.row, got));
  expect(first.length / named.length).toBeGreaterThanOrEqual(0.9);
  expect(weighed.filter(({ outcome }) => outcome?.type === 'answered').length).toBeGreaterThanOrEqual(14);
});
