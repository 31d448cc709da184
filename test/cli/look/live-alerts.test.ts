import { expect, it } from 'vitest';
import { liveAlerts } from '../../../src/cli/look/live-alerts.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import type { Signal } from '../../../src/core/vocabulary/signal.ts';
import { Story } from '../../core/story.ts';

function warned(story: Story, reason: string): Story {
  const signal: Signal = {
    type: 'retries',
    severity: 'warning',
    reason,
    sinceAt: story.now,
    at: story.now,
    evidence: [],
    confidence: 1,
    suggestedAction: 'look',
    disproof: '',
  };
  story.tell({ type: 'signal_raised', attempt: story.state.attempts.length, signal });
  return story;
}

const alerts = ({ state }: Story) =>
  liveAlerts('r1', runJson(state)).map(({ type, reason }) => [type, reason]);

it('a run that waits for a person is an alert, with the question in readable words', () => {
  const story = new Story({ task: { checks: [] } }).prepared().started();
  story.ended({ exitCode: 0 }, { claimsDone: true, asks: { text: 'Which store?', options: [] } });
  expect(alerts(story)).toEqual([['needs_you', 'The agent asks: “Which store?”']]);
});

it('only the latest sign of a kind is live, and none of what was rescued', () => {
  const story = new Story().prepared().started();
  story.ended({ exitCode: null, signal: 'SIGINT' }).waited().started();
  warned(story, 'first');
  story.ended({ exitCode: null, signal: 'SIGINT' }).waited().started();
  warned(story, 'second');
  expect(alerts(story)).toEqual([['retries', 'second']]);
  expect(alerts(new Story().prepared().started())).toEqual([]);
});
