import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import {
  confirmedCause,
  EMPTY_LOG,
  foldRootCause,
  hypothesesOpened,
  isSettled,
  type RootCauseEvent,
} from '../../../src/core/state/root-cause-log.ts';

const opened = hypothesesOpened(
  diagnose({ output: 'Error: connect ECONNREFUSED 127.0.0.1:5432\n', exitCode: 1 }),
);

function fold(events: readonly RootCauseEvent[]) {
  return events.reduce(foldRootCause, EMPTY_LOG);
}

describe('the root-cause log', () => {
  it('opens the diagnosis and its alternatives, each with a test', () => {
    const log = fold(opened);
    expect(log.hypotheses.length).toBeGreaterThan(1);
    expect(log.hypotheses.every(({ state, test }) => state === 'open' && test !== '')).toBe(true);
    expect(isSettled(log)).toBe(false);
  });
  it('stays open until one is confirmed with evidence', () => {
    const [first, second] = opened as readonly [RootCauseEvent, RootCauseEvent];
    const refuted = fold([
      ...opened,
      { type: 'hypothesis-refuted', id: first.id, evidence: 'nc 127.0.0.1 5432 connects' },
    ]);
    expect(isSettled(refuted)).toBe(false);
    const silent = foldRootCause(refuted, {
      type: 'hypothesis-confirmed',
      id: second.id,
      evidence: ' ',
    });
    expect(isSettled(silent)).toBe(false);
    const settled = foldRootCause(silent, {
      type: 'hypothesis-confirmed',
      id: second.id,
      evidence: 'check 4 failed alike on the base',
    });
    expect(confirmedCause(settled)).toMatchObject({
      id: second.id,
      evidence: ['check 4 failed alike on the base'],
    });
  });
  it('opens a refuted one again and does not repeat an open one', () => {
    const [first] = opened as readonly [RootCauseEvent];
    const log = fold([
      ...opened,
      ...opened,
      { type: 'hypothesis-refuted', id: first.id, evidence: 'x' },
      first,
    ]);
    expect(log.hypotheses).toHaveLength(opened.length);
    expect(log.hypotheses[0]).toMatchObject({ state: 'open', evidence: ['x'] });
  });
  it('is bounded', () => {
    const many: RootCauseEvent[] = Array.from({ length: 100 }, (_, index) => ({
      type: 'hypothesis-opened',
      id: `h${index}`,
      cause: 'c',
      test: 't',
      at: index,
    }));
    expect(fold(many).hypotheses.length).toBeLessThanOrEqual(20);
  });
});
