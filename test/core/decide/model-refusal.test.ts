import { expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { Story } from '../story.ts';

it('a refusal of the model is never rephrased or retried: a person is asked at once', () => {
  const story = new Story()
    .prepared()
    .started()
    .ended({}, { diagnosis: observedDiagnosis('model_refusal', 'the model refused', ['refused by policy']) });
  expect(story.state.attempts).toHaveLength(1);
  expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
  expect(openQuestion(story.state)).toBeDefined();
  expect(story.commands()).not.toContain('start_attempt');
});
