/** From a claim of success to a passed gate or to a named blocker. */
import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { diagnose } from '../../../src/core/diagnose/diagnose.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import type { ComposeFacts } from '../../../src/core/vocabulary/events/compose-facts.ts';
import type { Examination } from '../../../src/core/vocabulary/events/event.ts';
import { COMPOSE, finding } from '../gates/gate-state.ts';
import { EXAMINATION, PREPARED, Story } from '../story.ts';

const WORK = { ...EXAMINATION.partialWork, created: ['a.txt'] };
const saved = (tree = 't1') =>
  ({ number: 1, state: 'complete', tree, commit: 'k', missing: [], reason: '' }) as const;
const done = (more: Partial<Examination> = {}) => ({
  claimsDone: true,
  checkpoint: saved(),
  partialWork: WORK,
  ...more,
});

/** It claims to be done and stands before the gate. */
function before(
  options: ConstructorParameters<typeof Story>[0] = {},
  more: Partial<Examination> = {},
): Story {
  return new Story(options).prepared().started().ended({ exitCode: 0 }, done(more));
}

/** The results of the checks, in their order: whether each passed and the last it said. */
function judged(
  story: Story,
  results: readonly (readonly [boolean, string])[],
  compose: Partial<ComposeFacts> = {},
  tree = 't1',
) {
  story.tell({
    type: 'checks_finished',
    purpose: 'gate',
    tree,
    changed: ['a.txt', 'b.txt'],
    compose: { ...COMPOSE, ...compose },
    results: results.map(([passed, outputTail], index) => ({
      command: story.state.task.checks[index] ?? '',
      exitCode: passed ? 0 : 1,
      passed,
      timedOut: false,
      durationMs: 5,
      outputHash: outputTail,
      outputTail,
      tree,
      variant: 'candidate' as const,
    })),
  });
  return story;
}

const passed = ({ last }: Story) => {
  const gate = last.decisions.find(({ type }) => type === 'gate_passed');
  return gate?.type === 'gate_passed' ? gate.reason : null;
};

describe('a gate that passes says why', () => {
  it.each([
    [['one'], 'the check passed · every change is inside the scope'],
    [['one', 'two'], 'all 2 checks passed · every change is inside the scope'],
    [[], 'nothing to check with'],
  ])('with the checks %o: %s', (checks, reason) => {
    const story = judged(
      before({ task: { checks } }),
      checks.map(() => [true, ''] as const),
    );
    expect(passed(story)).toBe(reason);
    expect(story.last.commands.map(({ command }) => command)).toMatchObject([
      { type: 'deliver', tree: 't1', target: 'c1' },
    ]);
    expect(story.state.life).toMatchObject({ unverified: checks.length === 0 });
  });

  it('resolves the incident that was open, unless there was no check', () => {
    const rescued = (checks: readonly string[]) => {
      const story = new Story({ task: { checks } }).prepared().started().ended().waited().started();
      story.ended({ exitCode: 0 }, done());
      return judged(
        story,
        checks.map(() => [true, ''] as const),
      ).state.incidents[0];
    };
    expect(rescued(['one'])).toMatchObject({
      outcome: 'resolved',
      proof: 'the check passed · every change is inside the scope',
    });
    expect(rescued([])?.outcome).toBeNull();
  });

  it('notes what the agent asked at its end, and what a person should know of the target', () => {
    const story = judged(before({}, { asks: { text: 'Which\nstore?', options: [] } }), [[true, '']]);
    expect(story.state.notes.map(({ text }) => text)).toContain('the agent asked at the end: Which store?');
  });

  it('waits where a person stopped the run meanwhile', () => {
    const story = before();
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    judged(story, [[true, '']]);
    expect(passed(story)).toBeNull();
    expect(story.commands()).toEqual([]);
  });
});

describe('a check that lacks something on this machine', () => {
  const LACKS =
    "error: rustup could not choose a version of cargo to run, because one wasn't specified explicitly, and no default is configured.";
  const checked = (story: Story, purpose: 'baseline' | 'gate', outputTail: string, passes = false) => {
    const said = {
      command: 'cargo test',
      exitCode: passes ? 0 : 1,
      passed: passes,
      timedOut: false,
      durationMs: 5,
    };
    const diagnosis = diagnose({ output: outputTail, exitCode: 1, command: 'cargo test' });
    const needsPerson = purpose === 'gate' && outputTail === LACKS ? { needsPerson: diagnosis } : {};
    const result = {
      ...said,
      outputHash: outputTail,
      outputTail,
      tree: 't1',
      variant: 'candidate' as const,
      ...needsPerson,
    };
    const compose = purpose === 'gate' ? { compose: COMPOSE } : {};
    story.tell({
      type: 'checks_finished',
      purpose,
      tree: 't1',
      changed: ['a.txt'],
      results: [result],
      ...compose,
    });
    return story;
  };
  const gated = (now: string, earlier = LACKS) => {
    const story = new Story({ task: { checks: ['cargo test'] } });
    story.tell(PREPARED);
    checked(story, 'baseline', earlier).started().ended({ exitCode: 0 }, done());
    return checked(story, 'gate', now);
  };
  const answered = (story: Story) => {
    story.tell({ type: 'question_answered', question: 'r1-q1', option: 'retry', note: '', by: 'ann' });
    return story;
  };

  it('is asked about after the first attempt, with the advice and the offer to look again', () => {
    const story = gated(LACKS);
    expect(story.state.attempts).toHaveLength(1);
    expect(story.state.incidents).toMatchObject([{ class: 'missing_dependency' }]);
    const asked = openQuestion(story.state)?.question;
    expect(asked?.text).toContain('`cargo test` fails with exactly the same output as before the work: ');
    expect(asked?.text).toContain('Advice: ');
    expect(asked).toMatchObject({
      recommended: 'retry',
      options: [{ id: 'retry', label: 'it can run now: look again' }, {}, {}, {}],
    });
  });

  it('is run again when a person says so: nothing is started, and a pass is delivered', () => {
    const story = answered(gated(LACKS));
    expect(story.commands()).toEqual(['run_checks']);
    checked(story, 'gate', 'ok', true);
    expect(story.commands()).toEqual(['deliver']);
    expect(story.state.incidents).toMatchObject([{ outcome: 'resolved', proof: 'the check can run now' }]);
  });

  it('that still lacks it is asked about again; one that fails otherwise goes back to the agent', () => {
    expect(openQuestion(checked(answered(gated(LACKS)), 'gate', LACKS).state)?.question.id).toBe('r1-q2');
    const failing = checked(answered(gated(LACKS)), 'gate', 'assertion failed: 1 == 2');
    expect(failing.state.incidents).toMatchObject([{ outcome: 'resolved' }, { class: 'false_success' }]);
    expect(failing.state.attempts).toHaveLength(2);
  });

  it('is left to the agent where its attempt changed what the check says', () => {
    expect(gated(LACKS, 'other').state.incidents).toMatchObject([{ class: 'false_success' }]);
  });
});

describe('a gate that says no', () => {
  it('cuts long words of a check between two words, and shows that it did', () => {
    const story = judged(before(), [[false, `${'word '.repeat(30)}run 'rustup default stable' to set it\n`]]);
    expect(story.state.incidents[0]?.diagnosis?.rootCause).toMatch(/ word run…$/);
  });

  it('sends the work back with what the check said', () => {
    const story = judged(before(), [[false, 'FAIL a.test.ts\nexpected 1, got 2\n']]);
    expect(story.state.incidents[0]).toMatchObject({ class: 'false_success', attempt: 1 });
    expect(story.state.incidents[0]?.diagnosis?.rootCause).toMatch(/ fails \(exit 1\): /);
    expect(story.state.incidents[0]?.diagnosis?.rootCause).toContain('expected 1, got 2');
    expect(story.commands()).toEqual(['start_attempt']);
  });

  it('asks a person first where something is theirs to decide, though a check fails too', () => {
    const story = before({ task: { scope: ['src/**'] } });
    judged(story, [[false, 'x']]);
    expect(openQuestion(story.state)?.question.text).toContain('a.txt');
    expect(story.state.incidents[0]).toMatchObject({
      class: 'scope_exceeded',
      recoveries: [{ strategy: 'escalate', returnTo: 'explore' }],
    });
  });

  it('asks about a policy where nothing is for the agent', () => {
    const story = judged(before(), [[true, '']], { findings: [finding('missing')] });
    expect(story.state.incidents[0]).toMatchObject({ class: 'policy_violated' });
    expect(story.state.incidents[0]?.recoveries).toMatchObject([
      { reason: "policy violated is a person's decision" },
    ]);
    expect(story.state.incidents[0]?.diagnosis?.rootCause).toMatch(
      /^the change breaks a policy of the repository: /,
    );
  });

  it('is heard by nobody but the person who stopped the run', () => {
    const story = before();
    story.tell({ type: 'stop_requested', by: 'ann', reason: '' });
    judged(story, [[true, '']], { findings: [finding('missing')] });
    expect(openQuestion(story.state)).toBeUndefined();
    expect(story.state.life).toMatchObject({ reason: 'stopped by ann' });
  });

  it('after a failed attempt goes on with that failure', () => {
    const story = new Story().prepared().started();
    story.ended({ exitCode: 3 }, { checkpoint: saved(), partialWork: WORK });
    expect(story.commands()).toEqual(['run_checks']);
    judged(story, [[false, 'x']]);
    expect(story.state.incidents.map((one) => one.class)).toEqual(['crashed']);
    expect(story.state.life).toMatchObject({ type: 'waiting', for: 'time' });
  });

  it('names a denied tool instead of the failing check', () => {
    const denied = {
      ...observedDiagnosis('permission_denied', 'denied', []),
      failureType: 'permission_denied' as const,
    };
    const story = judged(before({}, { diagnosis: denied, deniedTools: ['Bash(npm test)'] }), [[false, 'x']]);
    expect(story.state.incidents[0]).toMatchObject({
      class: 'permission_denied',
      diagnosis: { rootCause: 'the agent was denied Bash(npm test) and ended without an error' },
    });
  });

  it('that says nothing of an incident any more resolves it', () => {
    const story = judged(before(), [[true, '']], { findings: [finding('missing')] });
    story.tell({ type: 'question_answered', question: 'r1-q1', option: 'revise_work', note: '', by: 'ann' });
    story.started().ended({ exitCode: 0 }, done({ checkpoint: { ...saved('t2'), number: 2 } }));
    judged(story, [[false, 'x']], {}, 't2');
    expect(story.state.incidents.map((one) => [one.class, one.outcome, one.proof])).toEqual([
      [
        'policy_violated',
        'resolved',
        'the gate no longer finds that the change breaks a policy of the repository',
      ],
      ['false_success', null, null],
    ]);
  });
});

describe('work that was moved', () => {
  const rebased = (conflicts: readonly string[]) => {
    const story = before();
    const checkpoint = { ...saved('t2'), number: 2 };
    story.tell({
      type: 'work_rebased',
      baseCommit: '0123456789abcdef',
      baseTree: 't9',
      conflicts,
      checkpoint,
    });
    return story;
  };

  it('without a conflict is checked again', () => {
    expect(rebased([]).last.commands.map(({ command }) => command)).toEqual([
      { type: 'run_checks', purpose: 'gate', tree: 't2' },
    ]);
  });

  it('with a conflict goes to the agent, which is told where', () => {
    const story = rebased(['src/a.ts']);
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.attempts.at(-1)?.brief).toContain('(0123456789ab)');
    expect(story.state.attempts.at(-1)?.brief).toContain('src/a.ts');
  });

  it('that was split is checked without what was left out', () => {
    const story = before();
    story.tell({ type: 'work_split', from: 't1', tree: 't3', left: ['db/a.ts', 'db/b.ts'] });
    expect(story.state.notes.at(-1)?.text).toBe('left out, kept in the checkpoint: db/a.ts, db/b.ts');
    expect(story.last.commands.map(({ command }) => command)).toEqual([
      { type: 'run_checks', purpose: 'gate', tree: 't3' },
    ]);
  });
});
