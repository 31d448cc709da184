/** What a person asks of a run is done in every life of it, and never beside a process that may live. */
import { describe, expect, it } from 'vitest';
import { observedDiagnosis } from '../../../src/core/decide/recovery/incident-diagnosis.ts';
import { openQuestion } from '../../../src/core/state/run-state.ts';
import { CHECKPOINT, EXAMINATION, PREPARED, Story } from '../story.ts';

const WORK = { ...EXAMINATION.partialWork, created: ['a.txt'] };
const LEFT = { checkpoint: CHECKPOINT, partialWork: WORK };
const working = () => new Story().prepared().started();
const unkillable = () => {
  const story = working();
  story.tell({ type: 'attempt_unkillable', attempt: 1, evidence: ['pid 7'] });
  return story;
};
const asking = () =>
  new Story({ policy: { restarts: 0 } })
    .prepared()
    .started()
    .ended({}, LEFT)
    .checked('gate', 't1', false, ['a.txt']);
const checking = () => working().ended({ exitCode: 0 }, { claimsDone: true, ...LEFT });

describe('stop', () => {
  const stop = { type: 'stop_requested', by: 'ann', reason: 'lunch' } as const;

  it('of a working agent stops it, within the time that the person gave', () => {
    const story = working();
    story.tell({ ...stop, withinMs: 500 });
    expect(story.last.commands.map(({ command }) => command)).toEqual([
      { type: 'stop_attempt', attempt: 1, why: 'a person asked for it', by: 'person', withinMs: 500 },
    ]);
    const without = working();
    without.tell(stop);
    expect(without.last.commands[0]?.command).not.toHaveProperty('withinMs');
  });

  it('of a queued run without a reason names the person alone', () => {
    const story = new Story({ queued: true });
    story.tell({ ...stop, reason: '' });
    expect(story.state.life).toMatchObject({ reason: 'taken from the queue by ann' });
  });

  it('while the work is prepared or checked waits for the next decision', () => {
    const story = new Story();
    story.tell(stop);
    expect(story.state.life).toEqual({ type: 'preparing' });
    story.tell({ ...PREPARED });
    story.checked('baseline', 't0', false, []);
    expect(story.state.life).toMatchObject({ type: 'waiting', reason: 'stopped by ann: lunch' });
    const gate = checking();
    gate.tell(stop);
    gate.checked('gate', 't1', true, ['a.txt']);
    expect(gate.commands()).toEqual([]);
    expect(gate.state.life).toMatchObject({ reason: 'stopped by ann: lunch' });
  });
});

describe('resume', () => {
  const resume = (note: string) => ({ type: 'resume_requested', by: 'ann', note }) as const;

  it('with a note tells it to the agent', () => {
    const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended();
    story.tell(resume('mind the lock'));
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.attempts.at(-1)?.brief).toContain('mind the lock');
    expect(story.last.timers.cancel).toContain('question');
  });

  it('costs no restart', () => {
    const story = working().ended();
    story.tell(resume(''));
    expect(story.state.attempts.at(-1)).toMatchObject({ number: 2, counted: false });
  });

  it('of a failed delivery delivers, and starts no agent', () => {
    const story = checking().checked('gate', 't1', true, ['a.txt']);
    story.tell({
      type: 'delivery_blocked',
      blocker: {
        code: 'delivery_failed',
        stage: 'materialize',
        returnsTo: 'materialize',
        source: 'said',
        said: [],
        resolutions: [],
      },
    });
    story.tell(resume(''));
    expect(story.commands()).toEqual(['deliver']);
  });
});

describe('accept', () => {
  const accept = { type: 'accept_requested', by: 'ann', note: 'good enough' } as const;

  it('of a working agent stops it, and delivers what it leaves', () => {
    const story = working();
    story.tell(accept);
    expect(story.last.commands.map(({ command }) => command)).toMatchObject([
      { type: 'stop_attempt', why: 'a person accepted the work so far', by: 'person' },
    ]);
    story.ended({ exitCode: null, signal: 'SIGINT', endedBy: 'person' }, LEFT);
    expect(story.commands()).toEqual(['deliver']);
  });

  it('beside a process that cannot be killed tries to end it once more', () => {
    const story = unkillable();
    story.tell(accept);
    expect(story.last.commands.map(({ command }) => command)).toMatchObject([
      { type: 'stop_attempt', by: 'mayday' },
    ]);
  });

  it('while it waits or is checked delivers at once', () => {
    for (const story of [asking(), checking()]) {
      story.tell(accept);
      expect(story.commands()).toEqual(['deliver']);
      expect(story.last.timers.cancel).toEqual(expect.arrayContaining(['retry', 'question']));
    }
  });

  it('while the attempt is examined waits for that', () => {
    const story = working();
    const exit = {
      exitCode: 1,
      signal: null,
      outOfMemory: false,
      endedBy: 'itself',
      exitedAt: story.now,
    } as const;
    story.tell({ type: 'attempt_ended', attempt: 1, exit });
    story.tell(accept);
    expect(story.commands()).toEqual([]);
    story.tell({ type: 'attempt_examined', attempt: 1, examination: { ...EXAMINATION, ...LEFT } });
    expect(story.commands()).toEqual(['deliver']);
  });
});

describe('abandon', () => {
  const abandon = { type: 'abandon_requested', by: 'ann', reason: 'wrong task' } as const;

  it('of a working agent stops it, saves its work and ends', () => {
    const story = working();
    story.tell(abandon);
    expect(story.last.commands.map(({ command }) => command)).toMatchObject([
      { type: 'stop_attempt', why: 'a person wants it to end', by: 'person' },
    ]);
    story.ended({ exitCode: null, signal: 'SIGINT', endedBy: 'person' }, LEFT);
    expect(story.last.commands.map(({ command }) => command)).toMatchObject([
      { type: 'deliver', salvage: true },
    ]);
    story.tell({ type: 'work_delivered', ref: 'w', files: [], salvage: true });
    expect(story.state.life).toMatchObject({
      state: 'abandoned',
      reason: 'stopped for good by ann: wrong task; the work is kept on w',
    });
  });

  it('beside a process that cannot be killed tries to end it once more', () => {
    const story = unkillable();
    story.tell(abandon);
    expect(story.commands()).toEqual(['stop_attempt']);
    expect(story.state.life.type).toBe('stopping');
  });

  it('of a run that waits ends it, without a reason too', () => {
    const story = new Story({ policy: { restarts: 0 } }).prepared().started().ended();
    story.tell({ ...abandon, reason: '' });
    expect(story.state.life).toMatchObject({
      type: 'ended',
      state: 'abandoned',
      reason: 'stopped for good by ann',
    });
    expect(story.last.timers.cancel).toContain('question');
  });

  it('while work is saved or delivered lets that finish', () => {
    const story = checking().checked('gate', 't1', true, ['a.txt']);
    expect(story.state.life.type).toBe('delivering');
    story.tell(abandon);
    expect(story.commands()).toEqual([]);
    const examined = working();
    const exit = {
      exitCode: 1,
      signal: null,
      outOfMemory: false,
      endedBy: 'itself',
      exitedAt: examined.now,
    } as const;
    examined.tell({ type: 'attempt_ended', attempt: 1, exit });
    examined.tell(abandon);
    expect(examined.commands()).toEqual([]);
    examined.tell({ type: 'attempt_examined', attempt: 1, examination: EXAMINATION });
    expect(examined.state.life).toMatchObject({
      state: 'abandoned',
      reason: 'stopped for good by ann: wrong task',
    });
  });
});

describe('a rescue mission', () => {
  const plan = {
    category: null,
    rootCause: null,
    evidence: [],
    injection: 'the vault is at v1',
    filesAdded: [],
    specChanges: [],
  };
  const rescue = (more: object = {}) =>
    ({ type: 'rescue_requested', by: 'ann', plan: { ...plan, ...more } }) as const;

  it('of a working agent stops it, and the next one is told', () => {
    const story = working();
    story.tell(rescue());
    expect(story.last.commands.map(({ command }) => command)).toMatchObject([
      { type: 'stop_attempt', why: 'rescue mission', by: 'mayday' },
    ]);
    expect(story.state.attempts[0]?.stoppedFor).toEqual({ class: 'unknown', reason: 'a person takes over' });
    story.ended({ exitCode: null, signal: 'SIGTERM', endedBy: 'mayday' });
    expect(story.commands()).toEqual(['start_attempt']);
    expect(story.state.attempts.at(-1)?.brief).toContain('the vault is at v1');
  });

  it('keeps what is known of the incident, and takes what the person knows better', () => {
    const story = asking();
    const before = story.state.incidents[0]?.diagnosis;
    story.tell(rescue());
    expect(story.state.incidents[0]?.diagnosis).toEqual(before);
    const better = asking();
    better.tell(
      rescue({ rootCause: 'the vault moved', category: 'missing_context', evidence: ['v1/README'] }),
    );
    expect(better.state.incidents[0]?.diagnosis).toMatchObject({
      rootCause: 'the vault moved',
      origin: 'person',
      category: 'missing_context',
      categoryReason: 'said by ann',
      evidence: [{ text: 'v1/README' }],
    });
    expect(better.state.incidents[0]?.diagnosis?.hypotheses.at(-1)).toEqual({
      cause: 'the vault moved',
      test: 'the rescue gets past it',
    });
    expect(better.state.incidents[0]?.recoveries.at(-1)).toMatchObject({
      strategy: 'resume',
      phase: 4,
      reason: 'rescue mission by ann',
      counted: false,
    });
  });

  it('with a category alone keeps the cause and its evidence', () => {
    const story = asking();
    const { rootCause, evidence } =
      story.state.incidents[0]?.diagnosis ?? observedDiagnosis('crashed', '', []);
    story.tell(rescue({ category: 'environment' }));
    expect(story.state.incidents[0]?.diagnosis).toMatchObject({
      rootCause,
      evidence,
      origin: 'observed',
      category: 'environment',
    });
  });

  it('of a run without a workspace prepares that first', () => {
    const story = new Story();
    story.tell({
      type: 'command_failed',
      command: 'prepare_workspace',
      code: 'DISK_FULL',
      message: 'full',
      advice: [['do', 'free some space']],
    });
    expect(openQuestion(story.state)?.question).toMatchObject({
      kind: 'disk_full',
      recommended: 'retry',
      evidence: [],
      text: expect.stringContaining('free some space. Try again?'),
    });
    story.tell(rescue());
    expect(story.commands()).toEqual(['prepare_workspace']);
  });

  it('of work that was not saved saves it first', () => {
    const story = working();
    const exit = {
      exitCode: 1,
      signal: null,
      outOfMemory: false,
      endedBy: 'itself',
      exitedAt: story.now,
    } as const;
    story.tell({ type: 'attempt_ended', attempt: 1, exit });
    story.tell({
      type: 'command_failed',
      command: 'examine_attempt',
      code: 'DISK_FULL',
      message: '',
      advice: [],
    });
    story.tell(rescue());
    expect(story.commands()).toEqual(['examine_attempt']);
  });

  it('that was enriched says with what, or why with nothing', () => {
    const noted = (contextUpdates: readonly string[], reason: string | null) => {
      const story = asking();
      story.tell(rescue());
      story.tell({ type: 'mission_enriched', mission: 'r1-m1', contextUpdates, reason, by: 'bob' });
      return story.state.notes.at(-1)?.text;
    };
    expect(noted(['lesson vault', 'AGENTS.md'], null)).toBe('r1-m1 enriched by bob: lesson vault, AGENTS.md');
    expect(noted([], 'one of a kind')).toBe('r1-m1 enriched by bob: nothing: one of a kind');
  });
});
