import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../../src/core/decide/recovery/incident-diagnosis.ts';
import { CHECKPOINT, EXAMINATION, Story } from '../../story.ts';

let trees = 0;
const saved = () => {
  trees += 1;
  const checkpoint = { ...CHECKPOINT, number: trees, tree: `t${trees}` };
  return { checkpoint };
};

/** The attempt changes the tree, says that it is done, and these checks fail with these lines. */
function claims(story: Story, failing: Readonly<Record<string, string>>): Story {
  const examined = saved();
  story.ended({ exitCode: 0 }, { claimsDone: true, ...examined });
  const { tree } = examined.checkpoint;
  story.tell({
    type: 'checks_finished',
    purpose: 'gate',
    tree,
    changed: ['a.txt'],
    results: story.state.task.checks.map((command) => ({
      command,
      exitCode: command in failing ? 1 : 0,
      passed: !(command in failing),
      timedOut: false,
      durationMs: 5,
      outputHash: `${failing[command]}`,
      outputTail: `${failing[command] ?? ''}\n`,
      tree,
      variant: 'candidate' as const,
    })),
  });
  return story;
}

const outcomes = ({ state }: Story) => state.incidents.map((one) => [one.class, one.outcome]);
const again = (story: Story) => (story.state.life.type === 'waiting' ? story.waited() : story).started();

describe('an incident at a gate', () => {
  const two = () =>
    new Story({ task: { checks: ['npm test', 'npm run lint'] }, policy: { restarts: 9 } })
      .prepared()
      .checked('baseline', 't0', false, [])
      .started();

  it('is not resolved by another tree while the same check fails: it is one incident until a person is asked', () => {
    const story = two();
    for (const got of [5, 7, 8, 9]) {
      claims(story, { 'npm test': `expected 3, got ${got}` });
      if (story.state.questions.length === 0) again(story);
    }
    expect(outcomes(story)).toEqual([['false_success', null]]);
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
    const states = story.state.incidents[0]?.rootCauses.hypotheses.map(({ state }) => state);
    expect(states).not.toContain('confirmed');
  });

  it('is resolved by the check that passes now, although another one fails', () => {
    const story = two();
    claims(story, { 'npm test': 'expected 3, got 5' });
    claims(again(story), { 'npm run lint': 'unused variable' });
    expect(outcomes(story)).toEqual([
      ['false_success', 'resolved'],
      ['false_success', null],
    ]);
    expect(story.state.incidents[0]?.proof).toContain('npm test passes');
  });

  it('that fails otherwise in the same check changed into another one: neither rescued nor the old one', () => {
    const story = two();
    claims(story, { 'npm test': 'expected 3, got 5' });
    claims(again(story), { 'npm test': 'TypeError: add is not a function' });
    expect(outcomes(story)).toEqual([
      ['false_success', 're-escalated'],
      ['false_success', null],
    ]);
    expect(story.state.incidents[0]?.proof).toContain('changed into');
  });

  it('is resolved when every check passes', () => {
    const story = two();
    claims(story, { 'npm test': 'expected 3, got 5' });
    claims(again(story), {});
    expect(outcomes(story)).toEqual([['false_success', 'resolved']]);
  });
});

describe('a crash', () => {
  it('that comes again is the same crash, whatever was written before it', () => {
    const story = new Story({ policy: { restarts: 2 } }).prepared().started().ended({ exitCode: 7 }, saved());
    for (const _ of [1, 2]) {
      again(story);
      story.tell({
        type: 'progress_observed',
        attempt: story.state.attempts.length,
        kind: 'tree',
        detail: 'a',
      });
      story.ended({ exitCode: 7 }, saved());
    }
    expect(outcomes(story)).toEqual([['crashed', null]]);
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
  });

  it('that comes again stays the same also where the gate was asked whether its work is complete', () => {
    const crash = (story: Story) => {
      const partialWork = { ...EXAMINATION.partialWork, changed: ['a.txt'] };
      const examined = { ...saved(), partialWork };
      story.ended({ exitCode: 3 }, examined);
      return story.checked('gate', examined.checkpoint.tree, false, ['a.txt']);
    };
    const story = crash(new Story().prepared().started());
    crash(again(story));
    expect(outcomes(story)).toEqual([['crashed', null]]);
  });

  it('is past when an attempt got beyond it: it made progress and failed otherwise', () => {
    const story = new Story().prepared().started().ended({ exitCode: 7 });
    claims(again(story), { 'test -f a.txt': '' });
    expect(outcomes(story)).toEqual([
      ['crashed', 'resolved'],
      ['false_success', null],
    ]);
  });

  it('is not past when the next attempt failed otherwise and left nothing', () => {
    const story = new Story().prepared().started().ended({ exitCode: 7 });
    again(story).ended({}, { diagnosis: observedDiagnosis('missing_dependency', 'no left-pad', []) });
    expect(outcomes(story)[0]).toEqual(['crashed', 're-escalated']);
  });

  it('does not use up the ladder of an agent that gets on in between', () => {
    const story = new Story({ policy: { restarts: 9 } }).prepared().started().ended({ exitCode: 7 }, saved());
    for (const _ of [1, 2, 3, 4, 5]) again(story).ended({ exitCode: 7 }, saved());
    expect(story.state.questions).toEqual([]);
  });
});

it('a stall is past as soon as the work moves again', () => {
  const story = new Story().prepared().started();
  story.ended({}, { diagnosis: observedDiagnosis('network_failure', 'ECONNRESET', []) });
  again(story).tell({ type: 'progress_observed', attempt: 2, kind: 'tree', detail: 'a' });
  expect(outcomes(story)).toEqual([['network_failure', 'resolved']]);
});

it('a rescue whose attempt ends in the same trouble has failed at once: no further attempt before the person is asked', () => {
  const story = new Story().prepared().started().ended({ exitCode: 7 }, saved());
  const plan = {
    category: null,
    rootCause: null,
    evidence: [],
    injection: 'use b',
    filesAdded: [],
    specChanges: [],
  };
  story.tell({ type: 'rescue_requested', by: 'ann', plan });
  story.started().ended({ exitCode: 7 }, saved());
  expect(story.state.attempts).toHaveLength(2);
  expect(story.state.missions[0]?.outcome).toBe('re-escalated');
  expect(story.state.life).toMatchObject({ type: 'waiting', for: 'person' });
});
