import { expect, it } from 'vitest';
import { ending, tell } from '../../../src/cli/render/story.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import { whyLine } from '../../../src/core/view/run-line.ts';
import { marked } from '../../core/hostile-texts.ts';
import { ENDED, Story } from '../../core/story.ts';

const CHECKPOINT = {
  number: 1,
  state: 'complete',
  tree: 't1',
  at: 0,
  files: 1,
  missing: [],
  reason: 'attempt 1 ended',
  attempt: 1,
} as never;

const asked = () =>
  marked(new Story({ task: { checks: [] } }))
    .prepared()
    .started()
    .ended(
      { exitCode: 0 },
      { claimsDone: true, asks: { text: 'Which store? SQLite or Postgres?', options: [] } },
    );

it('the story of a run tells what a person was asked and what they said', () => {
  const story = asked();
  const answer = {
    type: 'question_answered',
    question: 'r1-q1',
    option: 'reply',
    note: 'SQLite',
    by: 'ann',
  } as const;
  story.tell(answer);
  const told = tell({ ...answer, at: story.now, seq: 9 } as never, story.state).join('\n');
  expect(told).toContain('The agent asks: “Which store? SQLite or Postgres?”');
  expect(told).toContain('ann: reply to the agent · SQLite');
});

it('what was done about an incident is said once, without the name of its strategy', () => {
  const recovery = { strategy: 'resume', reason: 'resumed with what failed', phase: 2 };
  const event = { type: 'recovery_decided', incident: 'r1-i1', recovery, at: 0, seq: 1 };
  expect(tell(event as never, asked().state)).toEqual(['          did    resumed with what failed']);
});

it('a check that fails is told once, and another blocker by what it means', () => {
  const told = (code: string, found: object) =>
    tell({ type: 'blocked', blockers: [{ code, ...found }], at: 0, seq: 1 } as never, asked().state);
  expect(told('check_failed', { command: 'npm test', exitCode: 1, output: [] })).toEqual([]);
  expect(told('scope_exceeded', { paths: ['b.txt'], scope: ['a.txt'] })).toEqual([
    expect.stringContaining('! the change leaves the scope: b.txt'),
  ]);
});

it('a cause that its blocker has told is not told again', () => {
  const story = new Story({ task: { scope: ['a.txt'] } }).prepared().started();
  story.ended({ exitCode: 0 }, { claimsDone: true, checkpoint: CHECKPOINT });
  const last = story.checked('gate', 't1', true, ['a.txt', 'b.txt']).last;
  const told = last.decisions.flatMap((event) => tell({ ...event, at: 0, seq: 1 } as never, last.state));
  expect(told.join('\n').match(/the change leaves the scope: b\.txt/g)).toHaveLength(1);
});

it('work that nothing checked gets no tick', () => {
  const event = { type: 'gate_passed', reason: 'nothing to check with', stage: 'compose', at: 0, seq: 1 };
  const told = (checks: string[]) => tell(event as never, new Story({ task: { checks } }).state).join();
  expect(told([])).not.toContain('✓');
  expect(told(['npm test'])).toContain('✓');
});

it('a question of the agent is no riddle: its causes are about the task, and no mark is shown', () => {
  const { state } = asked();
  expect(whyLine(state)).toMatch(/^The agent asks: “Which store\?/);
  expect(whyLine(state)).not.toContain('<<');
  const causes = runJson(state).incidents[0]?.hypotheses.map(({ test }) => test) ?? [];
  expect(causes.length).toBeGreaterThanOrEqual(2);
  expect(causes.join()).not.toContain('verbose output');
});

it('a run that ended after a rescue asks what it taught until that is said', () => {
  const story = asked();
  const plan = { category: null, rootCause: null, evidence: [], filesAdded: [], specChanges: [] };
  story.tell({ type: 'rescue_requested', by: 'ann', plan: { ...plan, injection: 'SQLite' } });
  story.started().ended({ exitCode: 0 }, { claimsDone: true, asks: { text: 'Which store?', options: [] } });
  const told = () => ending({ ...story.state, life: ENDED }).join('\n');
  expect(told()).toContain('mayday missions close r1-m1');
  story.tell({ type: 'mission_enriched', mission: 'r1-m1', contextUpdates: [], reason: 'a slip', by: 'ann' });
  expect(told()).not.toContain('mayday missions close');
});
