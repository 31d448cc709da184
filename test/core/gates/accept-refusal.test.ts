/** A person may accept work as it is: with a reason where it is not proven, and only where there is work. */
import { expect, it } from 'vitest';
import { acceptRefusal } from '../../../src/core/gates/accept-refusal.ts';
import { blocker } from '../../../src/core/vocabulary/blockers/blocker.ts';
import type { RunState } from '../../../src/core/state/run-state.ts';
import { CHECKPOINT, EXAMINATION, Story } from '../story.ts';
import { checkRecord } from './gate-state.ts';

/** A run whose attempt has ended with work in checkpoint 1. */
function worked(more: Partial<RunState> = {}): RunState {
  const story = new Story({ policy: { restarts: 0 } });
  story
    .prepared({})
    .started()
    .ended({ exitCode: 0 }, { ...EXAMINATION, claimsDone: true, checkpoint: CHECKPOINT });
  return { ...story.state, checks: [checkRecord({})], ...more };
}

it('proven work needs no reason', () => {
  expect(acceptRefusal(worked(), '')).toBeNull();
});

it('work that no check of the task proved on this tree needs one', () => {
  const lacks = (...checks: Parameters<typeof checkRecord>[0][]) =>
    acceptRefusal(worked({ checks: checks.map(checkRecord) }), ' ');
  expect(lacks()).toBe('note_missing');
  expect(lacks({ passed: false })).toBe('note_missing');
  expect(lacks({}, { passed: false })).toBe('note_missing');
  expect(lacks({ passed: false }, {})).toBeNull();
  expect(lacks({ tree: 't0' })).toBe('note_missing');
  expect(lacks({ purpose: 'baseline' })).toBe('note_missing');
  expect(lacks({ command: 'true' })).toBe('note_missing');
  const { task } = worked();
  expect(acceptRefusal(worked({ task: { ...task, checks: [] } }), '')).toBe('note_missing');
  expect(acceptRefusal(worked({ task: { ...task, checks: ['test -f a.txt', 'make'] } }), '')).toBe(
    'note_missing',
  );
  expect(acceptRefusal(worked({ checks: [] }), 'it is urgent')).toBeNull();
});

it('a blocker of the work needs a reason; one of the sink says nothing about the work', () => {
  const { delivery } = worked();
  const blocked = (code: 'empty_change' | 'sink_drifted') => {
    const found = blocker(code, { source: 'said', said: ['x'] });
    return acceptRefusal(worked({ delivery: { ...delivery, blockers: [found] } }), '');
  };
  expect(blocked('empty_change')).toBe('note_missing');
  expect(blocked('sink_drifted')).toBeNull();
});

it('without a workspace, or without a change, there is nothing to accept', () => {
  expect(acceptRefusal(worked({ workspace: null }), 'x')).toBe('no_workspace');
  expect(acceptRefusal(new Story({}).state, 'x')).toBe('no_workspace');
  expect(acceptRefusal({ ...worked(), life: { type: 'preparing' } as RunState['life'] }, 'x')).toBe(
    'no_workspace',
  );
  const idle = new Story({ policy: { restarts: 0 } }).prepared({}).started().ended({ exitCode: 0 }, {});
  expect(acceptRefusal(idle.state, 'x')).toBe('nothing_to_deliver');
});

it('while an attempt lives or is looked at, its work is not known: only a reason is asked for', () => {
  const living = new Story({}).prepared({}).started().state;
  expect(acceptRefusal(living, '')).toBe('note_missing');
  expect(acceptRefusal(living, 'enough')).toBeNull();
});
