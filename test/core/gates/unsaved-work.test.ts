/** Files of the work that no checkpoint holds: told with their reason, unless the work is delivered by leaving it where it is. */
import { expect, it } from 'vitest';
import { isDeliveredInPart, unsavedBlockers, unsavedWords } from '../../../src/core/gates/unsaved-work.ts';
import type { RunState } from '../../../src/core/state/run-state.ts';
import { gateState } from './gate-state.ts';

const BIG = { path: 'big.bin', why: 'larger than 9 bytes' };
const SAVED = { number: 3, state: 'partial', tree: 't1', commit: 'k', missing: [BIG], reason: 'ended' };

function lacking(checkpoints: readonly object[], more: Partial<RunState> = {}): RunState {
  return gateState({ checkpoints: checkpoints as RunState['checkpoints'], ...more });
}

it('a partial checkpoint blocks with its missing files, in words too', () => {
  const state = lacking([{ ...SAVED, moreMissing: 4 }]);
  expect(unsavedBlockers(state)).toMatchObject([
    { code: 'work_not_saved', source: 'checkpoint', files: [BIG], more: 4 },
  ]);
  expect(isDeliveredInPart(state)).toBe(true);
  expect(unsavedWords(state)).toContain('big.bin');
  expect(unsavedBlockers(lacking([SAVED]))).toMatchObject([{ more: 0 }]);
});

it('a file beside the work, a complete checkpoint and a run without one lack nothing', () => {
  for (const state of [
    lacking([{ ...SAVED, missing: [{ ...BIG, beside: true }] }]),
    lacking([{ ...SAVED, missing: [] }]),
    lacking([]),
  ]) {
    expect(unsavedBlockers(state)).toEqual([]);
    expect(isDeliveredInPart(state)).toBe(false);
    expect(unsavedWords(state)).toBe('');
  }
});

it('what counts is the checkpoint of the work as it stands: not one that failed, not one of another tree', () => {
  const complete = { ...SAVED, number: 4, missing: [] };
  expect(unsavedBlockers(lacking([SAVED, { ...complete, state: 'failed' }]))).toHaveLength(1);
  expect(unsavedBlockers(lacking([SAVED, { ...complete, tree: 't2' }]))).toEqual([]);
  expect(unsavedBlockers(lacking([SAVED, { ...complete, tree: 't2' }], { restored: 't1' }))).toHaveLength(1);
});

it('a checkpoint that could not be taken is told by its attempt, with the last one that was', () => {
  const [attempt] = gateState().attempts;
  const attempts = [
    { ...attempt, examination: { unsaved: 'the disk is full' } },
  ] as unknown as RunState['attempts'];
  expect(unsavedBlockers(lacking([{ ...SAVED, number: 1 }, SAVED], { attempts }))).toMatchObject([
    { code: 'work_not_saved', source: 'attempt', attempt: 1, checkpoint: 3, problem: 'the disk is full' },
  ]);
  expect(unsavedBlockers(lacking([], { attempts }))).toMatchObject([{ checkpoint: 0 }]);
  expect(unsavedBlockers(lacking([], { attempts: [] }))).toEqual([]);
});

it('work that stays where it is lacks nothing', () => {
  const { workspace } = gateState();
  const inPlace = { ...workspace, kind: 'in_place' } as unknown as RunState['workspace'];
  const own: RunState['sink'] = { type: 'branch', name: 'mayday/r1' };
  expect(unsavedBlockers(lacking([SAVED], { sink: { type: 'none' } }))).toEqual([]);
  expect(unsavedBlockers(lacking([SAVED], { workspace: inPlace, sink: own }))).toEqual([]);
  expect(unsavedBlockers(lacking([SAVED], { workspace: null, sink: own }))).toEqual([]);
  expect(
    unsavedBlockers(lacking([SAVED], { workspace: inPlace, sink: { ...own, name: 'other' } })),
  ).toHaveLength(1);
  expect(
    unsavedBlockers(lacking([SAVED], { workspace: inPlace, sink: { type: 'merge', branch: 'mayday/r1' } })),
  ).toHaveLength(1);
  expect(unsavedBlockers(lacking([SAVED], { sink: own }))).toHaveLength(1);
});
