import { describe, expect, it } from 'vitest';
import { runMetrics } from '../../../src/core/view/run-metrics.ts';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { ENDED, Story } from '../story.ts';

const GONE = { diagnosis: observedDiagnosis('missing_dependency', 'left-pad is not installed', []) };
const PLAN = {
  category: 'missing_context' as const,
  rootCause: 'nobody said that it is vendored',
  evidence: [],
  injection: 'use vendor/left-pad',
  filesAdded: [],
  specChanges: [],
};

describe('the metrics of a run', () => {
  it('split the time of an incident at its own events; an answer is the decision, not the question', () => {
    const story = new Story().prepared().started();
    const exitedAt = story.now;
    story.ended({ exitedAt }, GONE);
    const asked = story.now;
    const [question] = story.state.questions;
    story.tell(
      {
        type: 'question_answered',
        question: question?.question.id ?? '',
        option: 'retry',
        note: '',
        by: 'ann',
      },
      60_000,
    );
    const answered = story.now;
    story.started();
    const [incident] = runMetrics(story.state).incidents;
    expect(incident).toMatchObject({ began: exitedAt, decided: answered, resumed: story.now, asked: true });
    expect(incident?.diagnosed).toBeLessThanOrEqual(asked);
    expect(incident?.end).toBe('exit 1');
  });

  it('tell of missions and of the duty that follows them', () => {
    const story = new Story().prepared().started().ended({}, GONE);
    story.tell({ type: 'rescue_requested', by: 'ann', plan: PLAN });
    story.started();
    const [mission] = runMetrics(story.state).missions;
    expect(mission).toMatchObject({
      owner: 'ann',
      category: 'missing_context',
      resumed: story.now,
      outcome: null,
      enriched: false,
      updates: 0,
    });
    story.tell({
      type: 'mission_enriched',
      mission: mission?.id ?? '',
      contextUpdates: ['lesson vendor'],
      reason: null,
      by: 'ann',
    });
    expect(runMetrics(story.state).missions[0]).toMatchObject({ enriched: true, updates: 1 });
  });

  it('call a task simple or complex by the files it changed, unless the task says so', () => {
    const files = (number: number) => Array.from({ length: number }, (_, index) => `f${index}`);
    const ended = (number: number, size: 'simple' | null) => {
      const story = new Story({ task: { size } });
      const state = {
        ...story.state,
        life: ENDED,
        delivered: { ref: null, files: files(number) },
      };
      return runMetrics(state).size;
    };
    expect([ended(4, null), ended(5, null), ended(9, 'simple'), ended(0, null)]).toEqual([
      'simple',
      'complex',
      'simple',
      null,
    ]);
  });
});
