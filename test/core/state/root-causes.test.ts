import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { evolve } from '../../../src/core/state/evolve.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import type { RunEvent } from '../../../src/core/vocabulary/events/event.ts';
import { Story } from '../story.ts';

const explained = (cause: string, fingerprint: string) => ({
  diagnosis: {
    ...observedDiagnosis('test_failure', cause, ['assert 3 == 5']),
    fingerprint,
    hypotheses: [{ cause: 'the test is wrong', test: 'read the specification' }],
  },
});

describe('the root-cause log of an incident', () => {
  it('opens the diagnosis and its alternatives, each with the test that would confirm it', () => {
    const story = new Story().prepared().started().ended({}, explained('add() subtracts', 'f1'));
    expect(runJson(story.state).incidents[0]?.hypotheses).toMatchObject([
      { cause: 'add() subtracts', state: 'open' },
      { cause: 'the test is wrong', test: 'read the specification', state: 'open' },
    ]);
  });

  it('is confirmed by a rescue that acted on the cause and led to a passed check, not by a changed tree', () => {
    const story = new Story()
      .prepared()
      .started()
      .ended({}, explained('add() subtracts', 'f1'))
      .waited()
      .started();
    story.tell({ type: 'progress_observed', attempt: 2, kind: 'tree', detail: 'math.py changed' });
    expect(runJson(story.state).incidents[0]?.hypotheses[0]).toMatchObject({ state: 'open', evidence: [] });
    story.ended({ exitCode: 0 }, { claimsDone: true }).checked('gate', 't0', true, ['math.py']);
    expect(runJson(story.state).incidents[0]?.hypotheses[0]).toMatchObject({
      state: 'confirmed',
      evidence: ['the check passed · every change is inside the scope'],
    });
  });

  it('is not confirmed by a mere retry that went well', () => {
    const interrupted = { exitCode: null, signal: 'SIGINT' } as const;
    const story = new Story().prepared().started().ended(interrupted).waited().started();
    story.tell({ type: 'progress_observed', attempt: 2, kind: 'tree', detail: 'x' });
    expect(runJson(story.state).incidents[0]).toMatchObject({
      outcome: 'resolved',
      hypotheses: [{ state: 'open' }, { state: 'open' }],
    });
  });

  it('is refuted when the next attempt of the same incident fails for another reason', () => {
    const story = new Story()
      .prepared()
      .started()
      .ended({}, explained('add() subtracts', 'f1'))
      .waited()
      .started();
    story.ended({}, explained('sub() adds', 'f2'));
    const [first, , third] = runJson(story.state).incidents[0]?.hypotheses ?? [];
    expect(first).toMatchObject({ cause: 'add() subtracts', state: 'refuted' });
    expect(third).toMatchObject({ cause: 'sub() adds', state: 'open' });
  });

  it('copies the verdict of the journal, whatever today would decide', () => {
    const story = new Story()
      .prepared()
      .started()
      .ended({}, explained('add() subtracts', 'f1'))
      .waited()
      .started();
    const before = story.state;
    story.ended({}, explained('sub() adds', 'f2'));
    const line = story.last.decisions.find(({ type }) => type === 'incident_diagnosed');
    expect(line).toMatchObject({
      refutes: { id: 'f1/1', evidence: 'the next attempt failed otherwise: sub() adds' },
    });
    const hypothesisAfter = (refutes: unknown) =>
      evolve(before, { ...line, refutes } as RunEvent).incidents[0]?.rootCauses.hypotheses[0];
    expect(hypothesisAfter({ id: 'f1/1', evidence: 'as it was told' })).toMatchObject({
      evidence: ['as it was told'],
    });
    expect(hypothesisAfter(null)).toMatchObject({ state: 'open' });
    expect(hypothesisAfter(undefined), 'a line of an older journal').toMatchObject({ state: 'refuted' });
  });
});
