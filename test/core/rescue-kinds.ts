/** `RESCUE_KINDS`: the brief after each kind of rescue, with a text of the test in every place that a brief quotes. */
import { observedDiagnosis } from '../../src/core/decide/recovery/incident-diagnosis.ts';
import { openQuestion } from '../../src/core/state/run-state.ts';
import type { Diagnosis } from '../../src/core/vocabulary/diagnosis.ts';
import type { Examination } from '../../src/core/vocabulary/events/examination.ts';
import type { FailureClass } from '../../src/core/vocabulary/classes/failure-class.ts';
import type { Signal } from '../../src/core/vocabulary/signal.ts';
import { marked } from './hostile-texts.ts';
import { Story } from './story.ts';

/** The text for a place; the place is its name. */
export type Say = (place: string) => string;
type StoryOptions = ConstructorParameters<typeof Story>[0];

/** Words of a person are not quoted; they are short here, so that they do not count. */
const NOTE = 'go on';

function left(say: Say): Partial<Examination> {
  return {
    partialWork: {
      created: [say('created'), say('created too')],
      changed: [say('changed'), say('changed too')],
      deleted: [say('deleted')],
      completed: [say('completed')],
      missing: [say('missing'), say('missing too')],
      delivered: false,
    },
    inFlight: say('in flight'),
    repeated: [
      { call: `Bash ${say('repeated call')}`, times: 3, result: say('repeated result') },
      { call: `Bash ${say('second call')}`, times: 2, result: say('second result') },
    ],
    knowledge: {
      diff: [`+${say('diff')}`, ` ${say('diff context')}`],
      diffLeftOut: 2,
      lastWords: say('last words'),
      decided: [say('decided'), say('decided too')],
      rejected: [say('rejected')],
      failedCalls: [{ call: `Bash ${say('failed call')}`, result: say('failed result') }],
      open: [say('open')],
    },
    deniedTools: [say('denied')],
  };
}

function diagnosed(say: Say, failure: FailureClass): Diagnosis {
  const lines = Array.from({ length: 9 }, (_, index) => say(`evidence ${index + 1}`));
  return {
    ...observedDiagnosis(failure, say('root cause'), lines),
    origin: 'read',
    recoveryPlan: say('plan'),
  };
}

function begun(say: Say, options: StoryOptions = {}): Story {
  const story = marked(new Story({ ...options, task: { checks: [], ...options?.task } })).prepared();
  const lesson = { id: 'l', hash: 'h', match: 'words', why: 'x', fingerprints: [], classes: [] } as const;
  // As long as a lesson can be.
  const texts = {
    title: say('lesson title').slice(0, 120),
    guidance: say('guidance').slice(0, 1_100),
    source: say('source').slice(0, 100),
  };
  story.started();
  for (const [line, text] of [say('note'), say('second note')].entries())
    story.tell({ type: 'agent_told', attempt: 1, kind: 'note', text, line });
  story.tell({ type: 'lessons_matched', lessons: [{ ...lesson, ...texts }] });
  return story;
}

/** The brief of the attempt after the first. */
function next(story: Story): string {
  for (let tries = 3; tries > 0 && story.state.attempts.length < 2; tries--) story.waited();
  const brief = story.state.attempts[1]?.brief;
  if (brief === undefined) throw new Error(`no second attempt: ${JSON.stringify(story.state.life)}`);
  return brief;
}

/** Stopped by Mayday for a signal of this type. */
function stopped(type: Signal['type'], options: StoryOptions = {}) {
  return (say: Say): string => {
    const story = begun(say, options);
    const signal: Signal = {
      type,
      severity: 'critical',
      reason: say('reason of the signal'),
      sinceAt: story.now,
      at: story.now,
      evidence: [say('evidence of the signal')],
      confidence: 1,
      suggestedAction: say('suggested action'),
      disproof: '',
    };
    story.tell({ type: 'signal_raised', attempt: 1, signal });
    return next(story.ended({ exitCode: null, signal: 'SIGINT', endedBy: 'mayday' }, left(say)));
  };
}

/** Answered by a person, with words where the option takes some. */
function answered(story: Story, option: string): string {
  const asked = openQuestion(story.state)?.question;
  if (asked === undefined) throw new Error(`no question: ${JSON.stringify(story.state.life)}`);
  story.tell({ type: 'question_answered', question: asked.id, option, note: NOTE, by: 'ann' });
  return next(story);
}

const settled = (failure: FailureClass, option: string) => (say: Say) =>
  answered(begun(say).ended({}, { ...left(say), diagnosis: diagnosed(say, failure) }), option);

export const RESCUE_KINDS: Readonly<Record<string, (say: Say) => string>> = {
  interrupted: (say) => next(begun(say).ended({ exitCode: null, signal: 'SIGINT' }, left(say))),
  killed: (say) => next(begun(say).ended({ exitCode: null, signal: 'SIGKILL' }, left(say))),
  'failed with an output': (say) =>
    next(begun(say).ended({}, { ...left(say), diagnosis: diagnosed(say, 'test_failure') })),
  looping: stopped('looping'),
  stalled: stopped('stalled'),
  'context full': (say) =>
    next(begun(say).ended({}, { ...left(say), diagnosis: diagnosed(say, 'context_overflow') })),
  reassigned: stopped('looping', {
    fallbacks: ['other'],
    policy: { restarts: 1 },
    agent: { name: 'first one', command: [], model: null },
  }),
  'false success': (say) => {
    const story = begun(say, { task: { checks: ['node test.js'] } });
    story.ended({ exitCode: 0 }, { ...left(say), claimsDone: true, claim: say('claim') });
    const result = {
      command: 'node test.js',
      exitCode: 1,
      passed: false,
      timedOut: false,
      durationMs: 5,
      outputHash: 'o',
      outputTail: say('output of the check'),
      tree: 't0',
      variant: 'candidate' as const,
    };
    story.tell({
      type: 'checks_finished',
      purpose: 'gate',
      tree: 't0',
      results: [result],
      changed: ['a.txt'],
    });
    return next(story);
  },
  denied: settled('permission_denied', 'retry'),
  'dependency installed by a person': settled('missing_dependency', 'retry'),
  'login renewed': settled('auth_failure', 'retry'),
  'question of the agent': (say) => {
    const asks = { text: `${say('question')}?`, options: [say('option')] };
    return answered(begun(say).ended({ exitCode: 0 }, { ...left(say), claim: asks.text, asks }), 'reply');
  },
  'rescue mission': (say) => {
    const story = begun(say).ended({}, { ...left(say), diagnosis: diagnosed(say, 'missing_dependency') });
    const plan = { category: null, rootCause: null, evidence: [], filesAdded: ['keys.txt'], specChanges: [] };
    story.tell({ type: 'rescue_requested', by: 'ann', plan: { ...plan, injection: NOTE } });
    return next(story);
  },
};
