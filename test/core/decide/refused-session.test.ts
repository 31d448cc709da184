import { expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import type { FailureClass } from '../../../src/core/vocabulary/classes/failure-class.ts';
import { Story } from '../story.ts';

const STARTED = {
  type: 'attempt_started',
  agent: 'rehearsal',
  agentVersion: null,
  level: 'process-group',
  handle: null,
} as const;

function afterEnd(type: FailureClass): Story {
  return new Story()
    .prepared()
    .started()
    .ended({}, { diagnosis: observedDiagnosis(type, 'it ended', ['it ended']), agentSession: 's-1' });
}

function startOf(story: Story): object | undefined {
  return story.last.commands.map(({ command }) => command).find(({ type }) => type === 'start_attempt');
}

it('a conversation that the model API refused is begun anew, unless it can be mended on a copy', () => {
  const story = afterEnd('session_corrupt');
  expect(startOf(story)).toMatchObject({ resume: null, mend: 's-1' });
  const why = 'the earlier conversation was mended on a copy: 1 broken lines left out';
  story.tell({ ...STARTED, attempt: 2, agentSession: 's-2', damage: { isKept: true, why } });
  expect(story.state.attempts.at(-1)).toMatchObject({ agentSession: 's-2', resumed: true });
});

it('a conversation that was resumed but could not be read counts as a new one', () => {
  const story = afterEnd('crashed');
  story.tell({ type: 'timer_fired', name: 'retry' }, 60_000);
  expect(startOf(story)).toMatchObject({ resume: 's-1' });
  expect(startOf(story)).not.toHaveProperty('mend');
  story.tell({
    ...STARTED,
    attempt: 2,
    agentSession: null,
    damage: { isKept: false, why: 'no line can be read' },
  });
  expect(story.state.attempts.at(-1)).toMatchObject({ agentSession: null, resumed: false });
});

it('a session that is only full is not mended: a copy would be as full', () => {
  expect(startOf(afterEnd('context_overflow'))).not.toHaveProperty('mend');
});
