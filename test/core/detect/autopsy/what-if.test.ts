import { expect, test } from 'vitest';
import { whatIf } from '../../../../src/core/detect/autopsy/what-if.ts';
import { call, failedCall, transcript } from '../transcript-builder.ts';

const stuck = transcript(
  Array.from({ length: 9 }, () => failedCall('make', 'make: *** No rule to make target')),
);
const thorough = transcript(
  Array.from({ length: 3 }, () => failedCall('make', 'make: *** No rule to make target')).concat(
    call('touch Makefile', 'ok'),
  ),
);
const runs = [
  { id: 'stuck', entries: stuck, truth: 'stuck' },
  { id: 'thorough', entries: thorough, truth: 'healthy' },
] as const;

test('other thresholds over past runs show what they would have caught and whom they would have disturbed', () => {
  expect(whatIf(runs, {})).toMatchObject({ caught: 1, stuck: 1, falseAlarms: 0, healthy: 1, stepsSaved: 8 });
  const hasty = whatIf(runs, { loop_stop: 3, stale_stop: 1 });
  expect(hasty).toMatchObject({ caught: 1, falseAlarms: 1 });
  expect(hasty.stepsSaved).toBeGreaterThan(8);
  const patient = whatIf(runs, { loop_stop: 20, stale_stop: 20, cycle_turns: 20 });
  expect(patient).toMatchObject({ caught: 0, falseAlarms: 0, stepsSaved: 0 });
});
