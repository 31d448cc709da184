/** What the story of a run says of holds and of the times of a rescue. */
import { expect, test } from 'vitest';
import { storyOf } from '../../../desk/run/story.ts';
import { type RunJson, runJson } from '../../../src/core/view/run-json.ts';
import { Story } from '../../core/story.ts';

const REFUSED = 'the login of this account is refused';

function heldFor(holder: string): readonly string[] {
  const story = new Story().prepared().started().ended({ exitCode: 1 });
  const hold = { key: 'login:claude:1', kind: 'login', until: null, reason: REFUSED, holder } as const;
  story.tell({ type: 'held', hold, attempt: null });
  return storyOf(runJson(story.state)).map(({ text }) => text);
}

test('what another run met is told as that run’s, what a run met itself as its own', () => {
  expect(heldFor('xdhq')).toContain(`held, because xdhq met this: ${REFUSED}`);
  expect(heldFor(new Story().state.runId)).toContain(REFUSED);
});

test('the times of a rescue say from when they count', () => {
  const run = runJson(new Story().prepared().started().ended({ exitCode: 1 }).state);
  const [incident] = run.incidents;
  const at = (seconds: number) => new Date(seconds * 1_000).toISOString();
  const mended = {
    ...incident,
    detected_at: at(10),
    resumed_at: at(13),
    verified_at: at(19),
  } as RunJson['incidents'][number];
  const told = storyOf({ ...run, incidents: [mended] }).map(({ more }) => more);
  expect(told).toContain('resumed in 3.0 s, progress again in 9.0 s, from when it was noticed');
});
