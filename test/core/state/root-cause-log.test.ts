import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { EMPTY_LOG, withHypotheses, withVerdict } from '../../../src/core/state/root-cause-log.ts';

const diagnosis = diagnose({ output: 'Error: connect ECONNREFUSED 127.0.0.1:5432\n', exitCode: 1 });
const opened = withHypotheses(EMPTY_LOG, diagnosis);
const [first, second] = opened.hypotheses.map(({ id }) => id) as [string, string];

describe('the root-cause log', () => {
  it('opens the diagnosis and its alternatives, each with a test', () => {
    expect(opened.hypotheses.length).toBeGreaterThan(1);
    expect(opened.hypotheses.every(({ state, test }) => state === 'open' && test !== '')).toBe(true);
  });

  it('takes a verdict with evidence, and none without', () => {
    const refuted = withVerdict(opened, 'refuted', { id: first, evidence: 'nc 127.0.0.1 5432 connects' });
    expect(refuted.hypotheses[0]).toMatchObject({ state: 'refuted' });
    expect(withVerdict(refuted, 'confirmed', { id: second, evidence: ' ' })).toEqual(refuted);
    expect(withVerdict(refuted, 'confirmed', { id: 'unknown', evidence: 'x' })).toEqual(refuted);
    expect(withVerdict(refuted, 'confirmed', null)).toEqual(refuted);
    const settled = withVerdict(refuted, 'confirmed', { id: second, evidence: 'it fails on the base too' });
    expect(settled.hypotheses[1]).toMatchObject({
      state: 'confirmed',
      evidence: ['it fails on the base too'],
    });
  });

  it('opens a refuted one again and does not repeat an open one', () => {
    const refuted = withVerdict(withHypotheses(opened, diagnosis), 'refuted', { id: first, evidence: 'x' });
    const again = withHypotheses(refuted, diagnosis);
    expect(again.hypotheses).toHaveLength(opened.hypotheses.length);
    expect(again.hypotheses[0]).toMatchObject({ state: 'open', evidence: ['x'] });
  });

  it('is bounded', () => {
    const hypotheses = Array.from({ length: 100 }, (_, index) => ({ cause: `c${index}`, test: 't' }));
    expect(withHypotheses(EMPTY_LOG, { ...diagnosis, hypotheses }).hypotheses.length).toBeLessThanOrEqual(20);
  });
});
