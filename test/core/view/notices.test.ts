import { expect, test } from 'vitest';
import { noticesOf } from '../../../src/core/view/notices.ts';

const RUN = {
  run_id: 'ab12',
  task: 'fix <<cafe the upload cafe>>\nmore',
  state: 'waiting' as const,
  why: 'a sentence of the core',
  updated_at: '2026-01-01T00:00:02.000Z',
};
const INCIDENT = {
  id: 'ab12-i1',
  class: 'auth_failure',
  detected_at: '2026-01-01T00:00:01.000Z',
  root_cause: 'no key',
};
const QUESTION = {
  id: 'ab12-q1',
  text: 'The login is refused. What now?',
  state: 'open' as const,
  asked_at: '2026-01-01T00:00:02.000Z',
  options: [{ id: 'retry', label: 'try again', effect: '', needs_note: false }],
  recommended: 'retry',
};
type Given = Parameters<typeof noticesOf>[0];

test('an open question, an incident and an end are notices, each under an id of its own', () => {
  const asking = noticesOf({ ...RUN, incidents: [INCIDENT], questions: [QUESTION] } as unknown as Given);
  expect(asking).toMatchObject([
    { id: 'ab12-i1', type: 'incident', text: 'auth failure: no key', path: 'runs/ab12' },
    {
      id: 'ab12-q1',
      type: 'question',
      title: 'fix “the upload”',
      text: 'The login is refused. What now?',
      question: { options: [{ id: 'retry', label: 'try again' }], recommended: 'retry' },
      path: 'inbox?question=ab12-q1',
    },
  ]);
  const ended = noticesOf({
    ...RUN,
    state: 'abandoned',
    questions: [{ ...QUESTION, state: 'answered' }],
  } as unknown as Given);
  expect(ended).toMatchObject([{ id: 'ab12-abandoned', type: 'abandoned', text: 'a sentence of the core' }]);
});

test('a run that works, and the row of an older version, have nothing to tell', () => {
  expect(noticesOf({ ...RUN, state: 'working' })).toEqual([]);
});
