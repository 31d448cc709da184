/** What follows from the end of an attempt: in which order its claims, its questions and its failure are heard. */
import { describe, expect, it } from 'vitest';
import { openQuestion, type RecordedCheck, type RunState } from '../../../src/core/state/run-state.ts';
import type { Examination, ExitFacts } from '../../../src/core/vocabulary/events/event.ts';
import { CHECKPOINT, EXAMINATION, PREPARED, Story } from '../story.ts';

const WORK = { ...EXAMINATION.partialWork, created: ['a.txt'] };
const asks = { text: 'Which store?', options: ['Postgres'] };
const well = { exitCode: 0 } as const;
const killed = { exitCode: null, signal: 'SIGKILL' } as const;

const ended = (
  exit: Partial<ExitFacts>,
  examination: Partial<Examination>,
  story = new Story().prepared().started(),
) => story.ended(exit, examination);
/** What the run does now, in one word. */
const does = ({ state, last }: Story) => {
  const question = openQuestion(state)?.question.kind;
  return question === undefined ? (last.commands[0]?.command.type ?? state.life.type) : `asks: ${question}`;
};

describe('an attempt that ended', () => {
  it.each<[string, Partial<ExitFacts>, Partial<Examination>, string]>([
    ['well with a claim goes to the gate', well, { claimsDone: true }, 'run_checks'],
    ['well without a claim is sent on', well, {}, 'start_attempt'],
    ['badly with a claim is not believed', { exitCode: 1 }, { claimsDone: true }, 'waiting'],
    ['by a signal with a claim is not believed', killed, { claimsDone: true }, 'waiting'],
    [
      'unseen with a claim goes to the gate',
      { exitCode: null, endedBy: 'unobserved' },
      { claimsDone: true },
      'run_checks',
    ],
    [
      'by Mayday after its claim goes to the gate',
      { ...killed, endedBy: 'mayday' },
      { claimsDone: true },
      'run_checks',
    ],
    [
      'by a person with a claim is not delivered',
      { ...killed, endedBy: 'person' },
      { claimsDone: true },
      'waiting',
    ],
    ['with a question and no work is heard', well, { claimsDone: true, asks }, 'asks: agent_question'],
    ['badly with a question has failed', { exitCode: 1 }, { asks }, 'waiting'],
    [
      'with a question and work that can be checked is checked',
      well,
      { claimsDone: true, asks, partialWork: WORK },
      'run_checks',
    ],
    [
      'with its own flag is asked about, whatever it claims',
      well,
      { claimsDone: true, asks, raised: { reason: 'two fit', code: null, question: null, options: [] } },
      'asks: blocker',
    ],
  ])('%s', (_, exit, examination, what) => {
    expect(does(ended(exit, examination))).toBe(what);
  });

  it('cancels every timer of the attempt, and examines it with the reason of its stop', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'timer_fired', name: 'timeout' });
    const exit = {
      exitCode: null,
      signal: 'SIGTERM',
      outOfMemory: false,
      endedBy: 'mayday',
      exitedAt: story.now,
    } as const;
    story.tell({ type: 'attempt_ended', attempt: 1, exit });
    expect(story.last.timers.cancel.toSorted()).toEqual(['budget', 'nudge', 'question', 'timeout']);
    expect(story.last.commands[0]?.command).toMatchObject({
      type: 'examine_attempt',
      attempt: 1,
      cause: expect.stringContaining('timeout'),
    });
    const alone = new Story().prepared().started();
    alone.tell({ type: 'attempt_ended', attempt: 1, exit: { ...exit, endedBy: 'itself' } });
    expect(alone.last.commands[0]?.command).toMatchObject({ cause: null });
  });

  it('keeps the diagnosis that its stop gave it', () => {
    const story = new Story().prepared().started();
    story.tell({ type: 'flag_raised', by: 'ann', reason: 'wrong store.' });
    expect(story.state.incidents[0]?.diagnosis?.rootCause).toBe('ann raised the blocker flag: wrong store');
    expect(story.last.commands[0]?.command).toMatchObject({ why: 'flag raised by ann: wrong store.' });
  });
});

describe('finished work of a failed attempt', () => {
  const left = { checkpoint: CHECKPOINT, partialWork: WORK };
  const crashed = (change: Partial<RunState>, examination: Partial<Examination> = left) => {
    const story = new Story().prepared().started();
    story.state = { ...story.state, ...change };
    return does(ended({ exitCode: 1 }, examination, story));
  };
  const { state } = new Story().prepared().started();

  it('is checked before another attempt is started', () => {
    expect(crashed({})).toBe('run_checks');
  });

  it.each<[string, Partial<RunState>, Partial<Examination>]>([
    ['nothing was changed', {}, { checkpoint: CHECKPOINT }],
    ['the agent said what is missing', {}, { ...left, partialWork: { ...WORK, missing: ['b.txt'] } }],
    ['there is nothing to check with', { task: { ...state.task, checks: [] } }, left],
    [
      'every check passed before the work',
      { checks: state.checks.map((one) => ({ ...one, passed: true })) },
      left,
    ],
    [
      'the gate has seen exactly this',
      { checks: [...state.checks, { ...(state.checks[0] as RecordedCheck), purpose: 'gate', tree: 't1' }] },
      left,
    ],
  ])('is not checked if %s', (_, change, examination) => {
    expect(crashed(change, examination)).not.toBe('run_checks');
  });

  it.each(['changed', 'deleted'] as const)('a file that was %s is work too', (kind) => {
    expect(crashed({}, { ...left, partialWork: { ...EXAMINATION.partialWork, [kind]: ['a'] } })).toBe(
      'run_checks',
    );
  });
});

describe('what an attempt did beside its work', () => {
  it('is noted once, in words that say where', () => {
    const story = ended(
      {},
      {
        configChanged: ['hooks/pre-commit', 'config'],
        configUndo: ['git config --unset core.hooksPath'],
        refsMoved: ['main moved'],
        strangers: ['pid 7 sleep'],
      },
    );
    const notes = [
      'git configuration or hooks changed: hooks/pre-commit, config',
      'git config --unset core.hooksPath',
      'in your repository, while the agent worked: main moved',
      'outside the container, but in the workspace: pid 7 sleep; look at it before you trust it',
    ];
    expect(story.state.notes.map(({ text }) => text)).toEqual(notes);
    story
      .waited()
      .started()
      .ended({}, { configChanged: ['hooks/pre-commit', 'config'], refsMoved: ['main moved'] });
    expect(story.state.notes.map(({ text }) => text)).toEqual(notes);
  });

  it('nothing is noted where nothing happened', () => {
    expect(ended({}, {}).state.notes).toEqual([]);
  });

  it('while it should only look is noted, with where it is kept', () => {
    const looked = (more: Partial<Examination>) => {
      const story = new Story({ explore: true, task: { scope: ['src/**'] } }).prepared().started();
      return story.ended(well, { claimsDone: true, ...more }).state.notes.map(({ text }) => text);
    };
    expect(looked({})).toEqual([]);
    expect(looked({ partialWork: { ...WORK, deleted: ['b.txt'] } })).toEqual([
      'the agent should only look, but changed a.txt, b.txt: in place, so it is left as it is',
    ]);
    expect(looked({ undone: { paths: ['c.txt'], checkpoint: 3 } })).toEqual([
      'the agent should only look, but changed c.txt: put back before the work begins, kept in checkpoint 3',
    ]);
  });
});

describe('a set-up command that failed', () => {
  const failed = (command: 'prepare_workspace' | 'run_checks' = 'prepare_workspace') => {
    const story = new Story();
    if (command === 'run_checks') story.tell(PREPARED);
    story.tell({
      type: 'command_failed',
      command,
      code: 'SETUP_FAILED',
      message: 'the set-up command `npm ci` ended with exit code 2',
      advice: [['happened', '5\n6']],
    });
    return story;
  };
  const answer = (story: Story, option: string) =>
    story.tell({
      type: 'question_answered',
      question: openQuestion(story.state)?.question.id ?? '',
      option,
      note: '',
      by: 'ann',
    })?.commands;

  it('is asked about before any agent runs, with its last lines', () => {
    const { state } = failed();
    expect(state.incidents[0]).toMatchObject({ class: 'environment', attempt: 0 });
    expect(state.incidents[0]?.diagnosis).toMatchObject({
      rootCause: 'the set-up command `npm ci` ended with exit code 2',
      evidence: [{ text: '5' }, { text: '6' }],
    });
  });

  it.each(['retry', 'skip_setup'])('is followed by the same step again, and by no agent: %s', (option) => {
    expect(answer(failed(), option)).toMatchObject([{ command: { type: 'prepare_workspace' } }]);
    const checks = { type: 'run_checks', purpose: 'baseline' };
    expect(answer(failed('run_checks'), option)).toMatchObject([{ command: checks }]);
  });
});
