/** Every blocker code: where it returns to, what it asks, and what the run does after each answer it offers. */
import { describe, expect, it } from 'vitest';
import { candidateTree } from '../../../src/core/state/last-tree.ts';
import { BLOCKERS, blocker } from '../../../src/core/vocabulary/blockers/blocker.ts';
import type { BlockerCode } from '../../../src/core/vocabulary/blockers/blocker-rule.ts';
import { blockerEvidence } from '../../../src/core/vocabulary/blockers/blocker-evidence.ts';
import type { ComposeFacts, RuleFinding } from '../../../src/core/vocabulary/events/compose-facts.ts';
import { type RepositoryRules, NO_RULES } from '../../../src/core/vocabulary/rules.ts';
import type { CheckpointFact } from '../../../src/core/vocabulary/work.ts';
import type { Task } from '../../../src/core/vocabulary/task.ts';
import type { Examination } from '../../../src/core/vocabulary/events/examination.ts';
import { runJson } from '../../../src/core/view/run-json.ts';
import { CHECKPOINT, Story } from '../story.ts';

const WORK = { created: ['a.txt'], changed: [], deleted: [], completed: [], missing: [], delivered: false };
const DONE = { claimsDone: true, claim: 'done', checkpoint: CHECKPOINT, partialWork: WORK };
const COMPOSE: ComposeFacts = {
  target: { name: 'main', commit: 'c1', moved: false, conflicts: [], theirs: [] },
  overlaps: [],
  findings: [],
  targetRules: null,
  markers: [],
  leaving: [],
};

function finding(kind: RuleFinding['kind'], more: Partial<RuleFinding> = {}): RuleFinding {
  return {
    kind,
    rule: 'r',
    says: 'no links without limits',
    approval: null,
    evidence: ['src/a.ts:1: x'],
    ...more,
  };
}

interface Situation {
  readonly task?: Partial<Task>;
  readonly rules?: RepositoryRules;
  readonly explore?: boolean;
  readonly staleScope?: readonly string[];
  readonly compose?: Partial<ComposeFacts>;
  readonly passed?: boolean;
  readonly changed?: readonly string[];
  readonly base?: boolean;
  readonly noRecord?: boolean;
  readonly sink?: BlockerCode;
  readonly unsaved?: CheckpointFact['missing'];
}

const OPEN = {
  id: 'd',
  question: 'Which database?',
  answer: null,
  by: null,
  since: null,
  paths: ['src/**'],
  file: 'd.md',
};
const RULE = {
  id: 'r',
  says: 'ask first',
  file: 'r.yaml',
  paths: ['src/**'],
  whenAdded: [],
  forbid: [],
  require: [],
  requireChanged: [],
  checks: [],
  approval: 'before' as const,
  touchPoint: false,
};
const sinkFails = (sink: BlockerCode): Situation => ({ sink });

const SITUATIONS: Readonly<Record<BlockerCode, Situation>> = {
  scope_missing: { explore: true },
  scope_stale: { staleScope: ['src/gone.ts'], task: { scope: ['src/gone.ts', 'src/**'] } },
  decision_pending: { rules: { ...NO_RULES, decisions: [OPEN] }, task: { scope: ['src/**'] } },
  approval_missing: { rules: { ...NO_RULES, rules: [RULE] }, task: { scope: ['src/**'] } },
  scope_exceeded: { task: { scope: ['src/**'] }, changed: ['src/a.ts', 'db/b.ts'] },
  missing_verification: { compose: { findings: [finding('not_changed', { evidence: ['test/**'] })] } },
  check_failed: { passed: false },
  check_not_recorded: { compose: { findings: [finding('check', { evidence: ['npm run audit'] })] } },
  touch_point_unrecorded: { changed: ['.github/workflows/ci.yml'] },
  work_too_vague: { compose: { markers: ['a.txt:3'] } },
  work_not_saved: { unsaved: [{ path: 'big.bin', why: 'larger than 9 bytes' }] },
  empty_change: { changed: [] },
  decision_conflict: {
    task: { decisions: [{ question: 'which database', answer: 'SQLite' }] },
    rules: { ...NO_RULES, decisions: [{ ...OPEN, answer: 'PostgreSQL', paths: ['**'] }] },
  },
  policy_violated: { compose: { findings: [finding('missing')] } },
  verification_outdated: { base: true },
  change_conflict: {
    task: { sink: { type: 'merge', branch: 'main' } },
    compose: {
      target: { name: 'main', commit: 'c2', moved: true, conflicts: ['a.txt'], theirs: ['rename a'] },
    },
  },
  judgment_missing: { compose: { findings: [finding('approval', { approval: 'compose' })] } },
  patch_does_not_apply: sinkFails('patch_does_not_apply'),
  sink_not_writable: sinkFails('sink_not_writable'),
  generator_unavailable: sinkFails('generator_unavailable'),
  sink_drifted: sinkFails('sink_drifted'),
  approval_required: sinkFails('approval_required'),
  delivery_failed: sinkFails('delivery_failed'),
};

/** What the answer leads to: a command, or the end. */
const AFTER: Readonly<Record<string, string>> = {
  expand_scope: 'run_checks',
  revise_work: 'start_attempt',
  add_verification: 'start_attempt',
  answer_question: 'start_attempt',
  record_judgment: 'run_checks',
  waive_with_reason: 'run_checks',
  split_work: 'split_work',
  rebase: 'rebase_work',
  retry: 'start_attempt',
};

function checkResult(command: string, passed: boolean, variant: 'candidate' | 'base') {
  return {
    command,
    exitCode: passed ? 0 : 1,
    passed,
    timedOut: false,
    durationMs: 5,
    outputHash: 'o',
    outputTail: '',
    tree: 't1',
    variant,
  };
}

function arrive(situation: Situation): Story {
  const story = new Story({
    task: situation.task ?? {},
    policy: { restarts: 0, delivery_retries: 0 },
    ...(situation.explore === true ? { explore: true } : {}),
  });
  story.prepared({ rules: situation.rules ?? NO_RULES, staleScope: situation.staleScope ?? [] });
  if (story.state.questions.length > 0) return story;
  const missing = situation.unsaved ?? [];
  const checkpoint = { ...CHECKPOINT, missing, state: missing.length > 0 ? 'partial' : 'complete' } as const;
  story.started().ended({ exitCode: 0 }, { ...DONE, checkpoint });
  if (story.state.questions.length > 0) return story;
  gate(story, situation);
  if (situation.sink !== undefined)
    story.tell({
      type: 'delivery_blocked',
      blocker: blocker(situation.sink, { source: 'said', said: ['the disk said no.'] }),
    });
  return story;
}

function gate(story: Story, situation: Situation): void {
  const { checks } = story.state.task;
  const results = checks.flatMap((command) => [
    checkResult(command, situation.passed ?? true, 'candidate'),
    ...(situation.base === true ? [checkResult(command, false, 'base')] : []),
  ]);
  story.tell({
    type: 'checks_finished',
    purpose: 'gate',
    tree: 't1',
    results: situation.noRecord === true ? [] : results,
    changed: situation.changed ?? ['a.txt'],
    compose: { ...COMPOSE, ...situation.compose },
  });
}

/** The first blocker in words. */
function evidence({ state }: Story): readonly string[] {
  return state.delivery.blockers.slice(0, 1).flatMap(blockerEvidence);
}

describe.each(Object.keys(BLOCKERS) as BlockerCode[])('%s', (code) => {
  const rule = BLOCKERS[code];

  it('stops the run with its name, its return point and a question with every resolution', () => {
    const { state } = arrive(SITUATIONS[code]);
    expect(state.life).toMatchObject({ type: 'waiting', for: 'person' });
    expect(state.delivery.blockers.map((one) => one.code)).toContain(code);
    expect(state.delivery.blockers.find((one) => one.code === code)).toMatchObject({
      returnsTo: rule.returnsTo,
    });
    const question = state.questions.at(-1)?.question;
    expect(question?.text.length).toBeGreaterThan(20);
    expect(question?.about?.tree).toBe(state.checkpoints.length > 0 ? 't1' : 't0');
    expect(state.incidents.at(-1)?.recoveries.at(-1)).toMatchObject({ strategy: 'escalate', phase: 3 });
    const offered = question?.options.map(({ id }) => id) ?? [];
    expect(offered).toContain('abandon');
    // What the agent can mend is asked about as a false success, after its rungs.
    if (rule.toAgent !== undefined) return;
    expect(question?.kind).toBe(rule.kind ?? code);
    expect(offered).toEqual(rule.resolutions);
  });

  it.each(rule.resolutions)('answered %s', (option) => {
    const story = arrive(SITUATIONS[code]);
    const asked = story.state.questions.at(-1)?.question;
    if (!asked?.options.some(({ id }) => id === option)) return;
    story.tell({ type: 'question_answered', question: asked.id, option, note: 'because', by: 'ann' });
    const beforeWork = rule.stage === 'explore';
    const atSink = rule.stage === 'materialize';
    if (option === 'abandon') {
      const kept = story.state.partialWork.created.length > 0;
      expect(story.commands()).toEqual([kept ? 'deliver' : 'release']);
      if (kept)
        expect(story.state.life).toMatchObject({
          type: 'delivering',
          salvage: expect.stringContaining('ann'),
        });
      return;
    }
    const [command] = story.commands();
    if (beforeWork) expect(['run_checks', 'start_attempt']).toContain(command);
    else if (option === 'choose_patch_output') {
      expect(story.state.sink).toEqual({ type: 'patch', file: '', againstBase: true });
      expect(command).toBe(atSink ? 'deliver' : 'run_checks');
    } else if (atSink && option !== 'rebase') expect(command).toBe('deliver');
    else if (code === 'check_not_recorded' && option === 'retry') {
      expect(command).toBe('run_checks');
      expect(story.state.task.checks).toContain('npm run audit');
    } else if (code === 'work_not_saved' && option === 'retry') expect(command).toBe('examine_attempt');
    else expect(command).toBe(AFTER[option]);
  });
});

describe('an approval', () => {
  const policy = SITUATIONS.policy_violated;
  const waive = (story: Story) =>
    story.tell({
      type: 'question_answered',
      question: story.state.questions.at(-1)?.question.id ?? '',
      option: 'waive_with_reason',
      note: 'pilot customers only',
      by: 'ann',
    });

  it('lifts exactly its blocker on exactly its tree, once, and the ending says whose word it was', () => {
    const story = arrive(policy);
    waive(story);
    gate(story, policy);
    expect(story.commands()).toEqual(['deliver']);
    expect(story.state.approvals).toMatchObject([{ tree: 't1', attempt: 1, used: true, by: 'ann' }]);
    story.tell({ type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false });
    expect(story.state.life).toMatchObject({
      state: 'delivered',
      reason:
        'not proven; the change breaks a policy of the repository (waived by ann: pilot customers only)',
    });
  });

  it('replayed on another tree opens nothing', () => {
    const story = arrive(policy);
    waive(story);
    const other = story.tell({
      type: 'checks_finished',
      purpose: 'gate',
      tree: 't2',
      results: [checkResult('test -f a.txt', true, 'candidate')],
      changed: ['a.txt'],
      compose: { ...COMPOSE, ...policy.compose },
    });
    expect(other, 'a gate about another tree is not the one that was asked').toBeNull();
    story.tell({
      type: 'checkpoint_taken',
      attempt: 1,
      checkpoint: { ...CHECKPOINT, number: 2, tree: 't2' },
    });
    story.tell({ type: 'checks_finished', purpose: 'gate', tree: 't1', results: [], changed: ['a.txt'] });
    story.state = { ...story.state, life: { type: 'checking', tree: 't2' } };
    story.tell({
      type: 'checks_finished',
      purpose: 'gate',
      tree: 't2',
      results: [checkResult('test -f a.txt', true, 'candidate')],
      changed: ['a.txt'],
      compose: { ...COMPOSE, ...policy.compose },
    });
    expect(story.state.delivery.blockers.map(({ code }) => code)).toContain('policy_violated');
    expect(story.commands()).not.toContain('deliver');
  });

  it('does not lift another policy on the same tree', () => {
    const story = arrive(policy);
    waive(story);
    gate(story, { compose: { findings: [finding('missing', { rule: 'other', says: 'another rule' })] } });
    expect(story.state.delivery.blockers).toMatchObject([
      { code: 'policy_violated', source: 'policy', rule: 'other' },
    ]);
  });

  it('is good once', () => {
    const story = arrive(policy);
    waive(story);
    gate(story, policy);
    story.tell({
      type: 'delivery_blocked',
      blocker: blocker('sink_drifted', { source: 'said', said: ['moved.'] }),
    });
    const asked = story.state.questions.at(-1)?.question.id ?? '';
    story.tell({ type: 'question_answered', question: asked, option: 'rebase', note: '', by: 'ann' });
    story.tell({
      type: 'work_rebased',
      baseCommit: 'c9',
      baseTree: 't0',
      conflicts: [],
      checkpoint: { ...CHECKPOINT, number: 2 },
    });
    gate(story, policy);
    expect(story.state.delivery.blockers.map(({ code }) => code)).toContain('policy_violated');
  });
});

describe('the build gate', () => {
  it.each([
    ['a runner that counted before and says nothing now', { tests: null }, 'missing_verification'],
    ['a check whose files changed while it ran', { disturbed: ['a.txt', 'b.txt'] }, 'check_not_recorded'],
    [
      'a check that passes only with a changed judge',
      { variant: 'base', passed: false },
      'verification_outdated',
    ],
  ] as const)('does not take %s for proof', (_, seen, code) => {
    const story = new Story({ policy: { restarts: 0 } });
    story
      .prepared({ tests: { total: 5, failed: 0 }, disturbed: ['b.txt'] })
      .started()
      .ended({ exitCode: 0 }, DONE);
    const passed = { ...checkResult('test -f a.txt', true, 'candidate'), tests: { total: 5, failed: 0 } };
    const other = { ...passed, asBefore: ['package.json'], ...seen };
    const results = other.variant === 'base' ? [passed, other] : [other];
    story.tell({ type: 'checks_finished', purpose: 'gate', tree: 't1', results, changed: ['a.txt'] });
    expect(story.state.delivery.blockers.map((one) => one.code)).toEqual([code]);
    const told = evidence(story).join('\n');
    if (code === 'check_not_recorded') expect(told).toContain('while it ran: a.txt; the result');
    if (code === 'verification_outdated') expect(told).toContain('package.json');
  });

  it.each([
    ['before', 'outside its tree, after the run began, this changed: /bin/node; the result'],
    ['during', 'outside its tree, while it ran, this changed: /bin/node; the result'],
  ])('says that a program outside the tree changed, and when: %s', (when, words) => {
    const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended({ exitCode: 0 }, DONE);
    const outside = { before: [], during: [], [when]: ['/bin/node'] };
    const passed = checkResult('test -f a.txt', true, 'candidate');
    const results = [{ ...passed, disturbed: ['/bin/node'], outside }];
    story.tell({ type: 'checks_finished', purpose: 'gate', tree: 't1', results, changed: ['a.txt'] });
    const told = evidence(story).join('\n');
    expect(told).toContain(words);
    expect(told).toContain('if you made one, run the check');
    expect(told).not.toContain('outlived');
  });

  it('takes files that a check always rewrites for its habit', () => {
    const story = new Story({});
    story
      .prepared({ disturbed: ['b.txt'] })
      .started()
      .ended({ exitCode: 0 }, DONE);
    const result = { ...checkResult('test -f a.txt', true, 'candidate'), disturbed: ['b.txt'] };
    story.tell({
      type: 'checks_finished',
      purpose: 'gate',
      tree: 't1',
      results: [result],
      changed: ['a.txt'],
    });
    expect(story.state.delivery.blockers).toEqual([]);
  });

  it('asks about a changed git configuration, and tells moved branches without asking', () => {
    const story = new Story({}).prepared().started();
    const undo = ['config changed (now says: fsmonitor = ./x); undo: cp kept config'];
    const found = { configChanged: ['config'], configUndo: undo, refsMoved: ['refs/tags/mine is new'] };
    story.ended({ exitCode: 0 }, { ...DONE, ...found });
    const results = [checkResult('test -f a.txt', true, 'candidate')];
    story.tell({ type: 'checks_finished', purpose: 'gate', tree: 't1', results, changed: ['a.txt'] });
    expect(story.state.incidents).toMatchObject([{ class: 'touch_point_unrecorded' }]);
    expect(story.state.questions[0]?.question.text).toContain('fsmonitor = ./x');
    expect(story.state.notes.map(({ text }) => text).join()).toContain('refs/tags/mine is new');
    story.tell({
      type: 'question_answered',
      question: 'r1-q1',
      option: 'record_judgment',
      note: 'undone',
      by: 'ann',
    });
    story.tell({ type: 'checks_finished', purpose: 'gate', tree: 't1', results, changed: ['a.txt'] });
    expect(story.commands()).toEqual(['deliver']);
  });

  it.each([
    [
      'a branch that moved and nobody explains',
      { movedRefs: [{ name: 'refs/heads/main', was: 'a'.repeat(40), is: null }] },
      `undo: git update-ref refs/heads/main ${'a'.repeat(40)}`,
    ],
    [
      'a process that outlived the agent',
      { leftProcesses: [{ pid: 7, command: 'sh bg.sh' }] },
      'process 7 (sh bg.sh)',
    ],
  ] as const)('asks about %s, until it is gone or judged', (_, found, told) => {
    for (const seenNext of [found, {}]) {
      const story = new Story().prepared().started().ended({ exitCode: 0 }, DONE);
      const checked = (more: Partial<ComposeFacts>) => {
        const results = [checkResult('test -f a.txt', true, 'candidate')];
        const compose = { ...COMPOSE, ...more };
        const fact = { type: 'checks_finished', purpose: 'gate', tree: 't1', changed: ['a.txt'] } as const;
        story.tell({ ...fact, results, compose });
      };
      checked(found);
      expect(story.state.questions[0]?.question.text).toContain(told);
      const word = { type: 'question_answered', option: 'record_judgment', note: 'mine', by: 'ann' } as const;
      story.tell({ ...word, question: 'r1-q1' });
      checked(seenNext);
      expect(story.commands()).toEqual(['deliver']);
    }
  });

  it('takes fewer tests than before for a red flag', () => {
    const story = new Story({ policy: { restarts: 0 } });
    story
      .prepared({ tests: { total: 5, failed: 0 } })
      .started()
      .ended({ exitCode: 0 }, DONE);
    const result = { ...checkResult('test -f a.txt', true, 'candidate'), tests: { total: 4, failed: 0 } };
    story.tell({
      type: 'checks_finished',
      purpose: 'gate',
      tree: 't1',
      results: [result],
      changed: ['a.txt'],
    });
    expect(story.state.delivery.blockers).toMatchObject([
      { code: 'missing_verification', source: 'test_count', command: 'test -f a.txt', now: 4, before: 5 },
    ]);
  });

  it('keeps every run of a flaky check and never takes the best', () => {
    const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended({ exitCode: 0 }, DONE);
    const results = [
      { ...checkResult('test -f a.txt', false, 'candidate'), run: 1 },
      { ...checkResult('test -f a.txt', true, 'candidate'), run: 2 },
    ];
    story.tell({ type: 'checks_finished', purpose: 'gate', tree: 't1', results, changed: ['a.txt'] });
    expect(evidence(story)).toContain('flaky: 1 of 2 runs on the same tree passed');
    expect(story.state.checks.filter(({ purpose }) => purpose === 'gate')).toHaveLength(2);
  });

  it('still requires a check that was red before, and does not blame the work for it', () => {
    const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended({ exitCode: 0 }, DONE);
    gate(story, { passed: false });
    expect(story.state.delivery.blockers[0]).toMatchObject({ code: 'check_failed' });
    expect(evidence(story)[1]).toContain('not caused by this change');
  });

  it('lets a task own the touch points that its scope names', () => {
    const story = new Story({ task: { scope: ['.github/**'] } })
      .prepared()
      .started()
      .ended({ exitCode: 0 }, DONE);
    gate(story, { changed: ['.github/workflows/ci.yml'] });
    expect(story.commands()).toEqual(['deliver']);
  });
});

describe('a split', () => {
  it('delivers what is inside the scope after its own checks and leaves the rest in the checkpoint', () => {
    const story = arrive(SITUATIONS.scope_exceeded);
    const asked = story.state.questions.at(-1)?.question.id ?? '';
    story.tell({ type: 'question_answered', question: asked, option: 'split_work', note: '', by: 'ann' });
    expect(story.last.commands[0]?.command).toMatchObject({
      type: 'split_work',
      tree: 't1',
      allowed: ['src/**'],
    });
    story.tell({ type: 'work_split', from: 't1', tree: 't1s', left: ['db/b.ts'] });
    expect(story.last.commands[0]?.command).toMatchObject({ type: 'run_checks', tree: 't1s' });
    story.tell({
      type: 'checks_finished',
      purpose: 'gate',
      tree: 't1s',
      results: [checkResult('test -f a.txt', true, 'candidate')],
      changed: ['src/a.ts'],
      compose: COMPOSE,
    });
    expect(story.last.commands[0]?.command).toMatchObject({ type: 'deliver', tree: 't1s' });
    expect(story.state.checkpoints.at(-1)?.tree).toBe('t1');
  });
});

it('a checkpoint that a person brought back is the work from then on, until something newer is saved', () => {
  const story = arrive(SITUATIONS.scope_exceeded);
  const second = { ...CHECKPOINT, number: 2, tree: 't2' };
  story.tell({ type: 'checkpoint_taken', attempt: 1, checkpoint: second });
  story.tell({ type: 'checkpoint_restored', number: 1, restored: 1, kept: [], by: 'ann' });
  story.tell({ type: 'accept_requested', by: 'ann', note: 'as it was' });
  expect(story.last.commands[0]?.command).toMatchObject({ type: 'deliver', tree: 't1' });
});

it('work that a person accepted is that work: what an agent makes of it afterwards is asked the gate like any other', () => {
  const story = arrive(SITUATIONS.scope_exceeded);
  story.tell({ type: 'accept_requested', by: 'ann', note: '' });
  story.tell({
    type: 'delivery_blocked',
    blocker: {
      code: 'sink_not_writable',
      stage: 'materialize',
      returnsTo: 'materialize',
      source: 'said',
      said: ['read-only'],
      resolutions: ['fix_sink', 'abandon'],
    },
  });
  const plan = {
    category: null,
    rootCause: null,
    evidence: [],
    injection: 'x',
    filesAdded: [],
    specChanges: [],
  };
  story.tell({ type: 'rescue_requested', by: 'bob', plan });
  story
    .started()
    .ended({ exitCode: 0 }, { claimsDone: true, checkpoint: { ...CHECKPOINT, number: 9, tree: 't9' } });
  expect(story.last.commands[0]?.command).toMatchObject({ type: 'run_checks', purpose: 'gate', tree: 't9' });
});

describe('exploring', () => {
  const proposal = {
    scope: ['src/auth/**'],
    checks: ['npm test'],
    decisions: [],
    summary: 'tokens in the session',
  };

  it('proposes; a person confirms; the scope and the checks are then those of the run', () => {
    const story = new Story({ explore: true, task: { checks: [] } }).prepared();
    expect(story.state.attempts[0]?.brief).toContain('MAYDAY_PROPOSAL');
    expect(story.state.stage).toBe('explore');
    story.started().ended({ exitCode: 0 }, { claimsDone: true, proposal });
    expect(story.state.questions[0]?.question).toMatchObject({
      kind: 'approval_missing',
      text: expect.stringContaining('src/auth/**'),
    });
    story.tell({
      type: 'question_answered',
      question: 'r1-q1',
      option: 'record_judgment',
      note: '',
      by: 'ann',
    });
    expect(story.state.scope).toEqual({
      allowed: ['src/auth/**'],
      by: 'proposed by the agent, confirmed by ann',
    });
    expect(story.state.task.checks).toEqual(['npm test']);
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.attempts[1]?.brief).not.toContain('MAYDAY_PROPOSAL');
    expect(story.state.incidents, 'a confirmation that was planned is no trouble').toEqual([]);
  });

  it('delivers nothing that was written while looking', () => {
    const story = new Story({
      explore: true,
      task: { checks: [] },
      policy: { explore_confirm: 0 },
    }).prepared();
    const work = {
      created: ['early'],
      changed: [],
      deleted: [],
      completed: [],
      missing: [],
      delivered: false,
    };
    story
      .started()
      .ended(
        { exitCode: 0 },
        { claimsDone: true, proposal, partialWork: work, undone: { paths: ['early'], checkpoint: 1 } },
      );
    expect(candidateTree(story.state)).toBe(story.state.workspace?.baseTree);
    expect(story.state.partialWork.created).toEqual([]);
    expect(story.state.notes.map(({ text }) => text).join()).toContain('changed early: put back');
  });

  it('is confirmed by policy where the policy says so', () => {
    const story = new Story({
      explore: true,
      task: { checks: [] },
      policy: { explore_confirm: 0 },
    }).prepared();
    story.started().ended({ exitCode: 0 }, { claimsDone: true, proposal });
    expect(story.state.questions).toHaveLength(0);
    expect(story.state.scope.by).toContain('policy');
    expect(story.commands()).toEqual(['start_attempt']);
  });

  it('asks about what the agent cannot decide before anything is built', () => {
    const story = new Story({ explore: true, task: { checks: [] } }).prepared();
    const decisions = [{ question: 'Keep tokens in the session?', options: ['yes', 'no'] }];
    story.started().ended({ exitCode: 0 }, { claimsDone: true, proposal: { ...proposal, decisions } });
    expect(story.state.questions[0]?.question.kind).toBe('decision_pending');
    story.tell({
      type: 'question_answered',
      question: 'r1-q1',
      option: 'answer_question',
      note: 'no, a table',
      by: 'ann',
    });
    expect(story.state.questions[1]?.question.kind).toBe('approval_missing');
    story.tell({
      type: 'question_answered',
      question: 'r1-q2',
      option: 'record_judgment',
      note: '',
      by: 'ann',
    });
    expect(story.state.attempts[1]?.brief).toContain('no, a table');
  });
});

describe('work that is not in the checkpoint', () => {
  const big = { path: 'big.bin', why: 'larger than 9 bytes' };
  const answered = (story: Story, option: string) =>
    story.tell({
      type: 'question_answered',
      question: story.state.questions.at(-1)?.question.id ?? '',
      option,
      note: 'it is built again',
      by: 'ann',
    });

  it('names every file, and the delivery that a person wants all the same says what it lacks', () => {
    const story = arrive({ unsaved: [big, { path: 'key', why: 'Permission denied' }] });
    expect(story.state.delivery.blockers).toMatchObject([{ code: 'work_not_saved' }]);
    expect(evidence(story)).toEqual([
      'not in the checkpoint, and so not in what would be delivered: big.bin, key',
      'big.bin: larger than 9 bytes',
      'key: Permission denied',
    ]);
    answered(story, 'waive_with_reason');
    gate(story, {});
    story.tell({ type: 'work_delivered', ref: 'mayday/r1', files: ['a.txt'], salvage: false });
    expect(story.state.life).toMatchObject({
      state: 'delivered',
      reason:
        'not proven; part of the work is in no checkpoint, and a delivery would lack it (waived by ann: it is built again); without big.bin, key',
    });
    expect(runJson(story.state).delivered?.not_saved).toEqual([
      big,
      { path: 'key', why: 'Permission denied' },
    ]);
  });

  it('saved again after a person made it readable, the same work is delivered without another attempt', () => {
    const story = arrive({ unsaved: [big] });
    answered(story, 'retry');
    expect(story.commands()).toEqual(['examine_attempt']);
    story.tell({
      type: 'attempt_examined',
      attempt: 1,
      examination: {
        ...(story.state.attempts[0]?.examination as Examination),
        checkpoint: { ...CHECKPOINT, number: 2 },
      },
    });
    gate(story, {});
    expect(story.commands()).toEqual(['deliver']);
    expect(story.state.attempts).toHaveLength(1);
  });

  it('is asked about too when the last checkpoint failed as a whole', () => {
    const story = new Story({ policy: { restarts: 0 } });
    story
      .prepared()
      .started()
      .ended({ exitCode: 0 }, { ...DONE, checkpoint: null, unsaved: 'No space left' });
    story.tell({
      type: 'checks_finished',
      purpose: 'gate',
      tree: 't0',
      results: [],
      changed: [],
      compose: COMPOSE,
    });
    expect(story.state.delivery.blockers).toContainEqual(
      expect.objectContaining({ code: 'work_not_saved', problem: 'No space left' }),
    );
  });

  it.each([
    [
      'a session file, a socket, a file that was too large before the work',
      { unsaved: [{ ...big, beside: true as const }] },
    ],
    [
      'a file where the work stays where it lies',
      { unsaved: [big], task: { sink: { type: 'none' as const } } },
    ],
  ])('%s holds nobody up', (_, situation) => {
    expect(arrive(situation).commands()).toEqual(['deliver']);
  });
});
