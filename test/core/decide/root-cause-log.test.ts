import { describe, expect, it } from 'vitest';
import { FAILURE_CLASSES, type FailureClass } from '../../../src/core/vocabulary/classes/failure-class.ts';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import { CHECKPOINT, Story } from '../story.ts';

const WORK = {
  created: ['a.txt'],
  changed: [],
  deleted: [],
  completed: ['a'],
  missing: ['b.txt'],
  delivered: false,
};
describe('the root-cause log of an incident', () => {
  it.each(Object.keys(FAILURE_CLASSES) as FailureClass[])(
    '%s has two hypotheses, each with a test',
    (name) => {
      const diagnosis = observedDiagnosis(name, `${name} was seen`, []);
      const story = new Story({ task: { checks: [] } }).prepared().started().ended({}, { diagnosis });
      const [incident] = runJson(story.state).incidents;
      expect(incident?.hypotheses.length).toBeGreaterThanOrEqual(2);
      for (const { cause, test, state } of incident?.hypotheses ?? []) {
        expect(cause.trim()).not.toBe('');
        expect(test).not.toMatch(/^(resume|restart|wait|escalate) from|^$/);
        expect(state).toBe('open');
      }
    },
  );

  it('says which one was confirmed once an attempt that was told of it got on', () => {
    const diagnosis = observedDiagnosis('context_overflow', 'the prompt is too long', []);
    const story = new Story({ task: { checks: [] } }).prepared().started().ended({}, { diagnosis });
    story.waited().started();
    story.ended(
      { exitCode: 0 },
      { claimsDone: true, claim: 'done', checkpoint: CHECKPOINT, partialWork: WORK },
    );
    const confirmed = runJson(story.state).incidents[0]?.hypotheses.filter(
      ({ state }) => state === 'confirmed',
    );
    expect(confirmed).toMatchObject([
      { cause: 'the prompt is too long', evidence: ['the tree changed after the resume'] },
    ]);
  });

  it("keeps a person's cause beside those of the rules: confirmed if the rescue got on, refuted if it did not", () => {
    const plan = {
      category: null,
      rootCause: 'the vault moved',
      evidence: [],
      filesAdded: [],
      specChanges: [],
    };
    const diagnosis = observedDiagnosis('model_refusal', 'refused: /vault', []);
    const rescued = (): Story => {
      const story = new Story({ task: { checks: [] } }).prepared().started().ended({}, { diagnosis });
      story.tell({ type: 'rescue_requested', by: 'ann', plan: { ...plan, injection: 'it is in /safe' } });
      return story.started();
    };
    const verdicts = ({ state }: Story) =>
      runJson(state).incidents[0]?.hypotheses.flatMap(({ cause, state: verdict }) =>
        verdict === 'open' ? [] : [`${verdict}: ${cause}`],
      );
    const again = rescued();
    expect(again.state.incidents[0]?.rootCauses.hypotheses.map(({ cause }) => cause)).toContain(
      'the vault moved',
    );
    expect(verdicts(again.ended({}, { diagnosis }))).toEqual(['refuted: the vault moved']);
    const well = rescued();
    well.tell({ type: 'progress_observed', attempt: 2, kind: 'tree', detail: 'a.txt' });
    well.ended(
      { exitCode: 0 },
      { claimsDone: true, claim: 'done', checkpoint: CHECKPOINT, partialWork: WORK },
    );
    expect(verdicts(well)).toEqual(['confirmed: the vault moved']);
  });
});

it('an incident keeps the partial and missing work of its own moment', () => {
  const story = new Story({ task: { checks: [] } }).prepared().started();
  story.ended({ exitCode: null, signal: 'SIGKILL' }, { partialWork: WORK, checkpoint: CHECKPOINT });
  story.waited().started();
  const later = { ...WORK, created: ['a.txt', 'b.txt'], missing: [] };
  story.ended(
    { exitCode: 0 },
    { claimsDone: true, claim: 'done', checkpoint: { ...CHECKPOINT, tree: 't2' }, partialWork: later },
  );
  const { incidents, partial_work } = runJson(story.state);
  expect(incidents[0]?.partial_work).toMatchObject({
    created: ['a.txt'],
    completed: ['a'],
    missing: ['b.txt'],
  });
  expect(partial_work.missing).toEqual([]);
});
