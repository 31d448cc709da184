import { expect, it } from 'vitest';
import { runTable } from '../../../src/cli/render/run-table.ts';
import { runRow } from '../../../src/core/view/run-row.ts';
import { readView } from '../../../src/core/view/read-view.ts';
import { Story } from '../../core/story.ts';

const QUESTION =
  'Which store should hold the tokens of the login links, SQLite as the tests do or Postgres as the service does?';

function asking(): Story {
  return new Story({ task: { text: 'add passwordless login to the account pages', checks: [] } })
    .prepared()
    .started()
    .ended({ exitCode: 0 }, { claimsDone: true, asks: { text: QUESTION, options: [] } });
}

function row(runId: string, { state }: Story, view: object = {}) {
  const made = runRow(state);
  return { ...made, runId, view: { ...readView(made), ...view } };
}

it('a terminal of 80 columns shows the whole reason below the row, broken at blanks, and the whole state', () => {
  const table = runTable([row('k7f2', asking())], new Set(), Date.now(), 80);
  const lines = table.trimEnd().split('\n');
  expect(lines.every((line) => line.length <= 80)).toBe(true);
  expect(lines[1]).toMatch(/^k7f2 {2}add .*needs you: r1-q1/);
  const reason = lines.slice(2).map((line) => /^ {6}(\S.*)$/.exec(line)?.[1]);
  expect(reason.join(' ')).toContain(QUESTION);
});

it('a narrow terminal loses the columns that tell nothing, never the id of the question', () => {
  const [head = '', row1 = ''] = runTable([row('k7f2', asking())], new Set(), Date.now(), 44).split('\n');
  expect(row1).toContain('needs you: r1-q1');
  expect(row1.length).toBeLessThanOrEqual(44);
  expect(head).not.toContain('COST');
});

it('the rows have the order of `mayday watch`: who needs a person, who moves, who is over', () => {
  const [first, last] = [{ created_at: '2026-01-01T00:00:00Z' }, { created_at: '2026-01-02T00:00:00Z' }];
  const working = new Story().prepared().started();
  const rows = [
    row('late', asking(), last),
    row('over', working, { word: 'delivered' }),
    row('work', working),
    row('held', working, { word: 'waiting' }),
    row('soon', asking(), first),
  ];
  const names = runTable(rows, new Set(), Date.now(), 120).match(/^[a-z]{4}(?= )/gm);
  expect(names).toEqual(['soon', 'late', 'held', 'work', 'over']);
});

it('a run that works has no reason, unless it was warned about', () => {
  const story = new Story().prepared().started();
  const lines = () =>
    runTable([row('k7f2', story)], new Set(), Date.now(), 80)
      .trimEnd()
      .split('\n');
  expect(lines()).toHaveLength(2);
  story.tell({
    type: 'signal_raised',
    attempt: 1,
    signal: {
      type: 'no_novelty',
      severity: 'warning',
      reason: 'silent for 5 minutes',
      sinceAt: 0,
      at: story.now,
      evidence: [],
      confidence: 1,
      suggestedAction: 'wait',
      disproof: 'it speaks',
    },
  } as never);
  expect(lines()[2]).toBe('      silent for 5 minutes');
});
