import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../../src/core/diagnose/diagnose.ts';
import type { Examination, ExitFacts } from '../../../../src/core/vocabulary/events/examination.ts';
import type { Signal } from '../../../../src/core/vocabulary/signal.ts';
import { runJson } from '../../../../src/core/view/run-json.ts';
import { CHECKPOINT, Story } from '../../story.ts';

interface Broken {
  readonly what: string;
  readonly exit?: Partial<ExitFacts>;
  readonly output?: string;
  readonly examination?: Partial<Examination>;
  readonly signal?: Signal['type'];
  readonly progress?: true;
  readonly category: string;
  readonly because: string;
}

const DONE = { claimsDone: true, claim: 'done', checkpoint: CHECKPOINT };
const repeated = (result: string) => [{ call: 'Bash make gen', times: 5, result }];

/** A mixed day: what was broken, and the category that a person who broke it would name. */
const DAY: readonly Broken[] = [
  {
    what: 'a module is not installed',
    output: "Error: Cannot find module 'left-pad'",
    category: 'environment',
    because: 'left-pad',
  },
  {
    what: 'a file of the machine is denied',
    output: "Error: EACCES: permission denied, open '/srv/x'",
    category: 'environment',
    because: '/srv/x',
  },
  {
    what: 'a tool is denied by the rules of the run',
    examination: {
      deniedTools: ['Bash(npm publish)'],
      diagnosis: { ...diagnose({ output: "EACCES: permission denied, open '/x'", exitCode: 1 }) },
    },
    category: 'constraint_conflict',
    because: 'Bash(npm publish)',
  },
  {
    what: 'the agent asks',
    exit: { exitCode: 0 },
    examination: { ...DONE, asks: { text: 'Which store?', options: [] } },
    category: 'ambiguous_spec',
    because: 'Which store?',
  },
  {
    what: 'the agent raises a question',
    examination: { raised: { reason: 'unclear', code: null, question: 'Which store?', options: [] } },
    category: 'ambiguous_spec',
    because: 'Which store?',
  },
  {
    what: 'it is killed from outside',
    exit: { exitCode: null, signal: 'SIGKILL' },
    category: 'environment',
    because: 'SIGKILL',
  },
  { what: 'it dies without a word', exit: { exitCode: 1 }, category: 'unknown', because: 'exit code 1' },
  {
    what: 'it loops on one error',
    signal: 'looping',
    examination: { repeated: repeated('error: no schema for orders') },
    category: 'missing_context',
    because: 'no schema for orders',
  },
  {
    what: 'it loops on a broken machine',
    signal: 'looping',
    output: 'sh: 1: protoc: not found',
    examination: { repeated: repeated('sh: 1: protoc: not found') },
    category: 'environment',
    because: 'protoc',
  },
  {
    what: 'it loops although nothing fails',
    signal: 'looping',
    examination: { repeated: repeated('ok') },
    category: 'capability_gap',
    because: 'without an error',
  },
  {
    what: 'the task is too large for its context',
    output: 'API Error: 400 prompt is too long: 210000 tokens > 200000 maximum',
    category: 'capability_gap',
    because: 'prompt is too long',
  },
  { what: 'it is silent without a call', signal: 'stalled', category: 'unknown', because: 'silent' },
  {
    what: 'a test fails',
    output: 'AssertionError: expected 1 to be 2',
    exit: { exitCode: 1 },
    category: 'missing_context',
    because: 'expected 1 to be 2',
  },
  {
    what: 'a merge conflicts',
    output:
      'CONFLICT (content): Merge conflict in src/a.ts\nAutomatic merge failed; fix conflicts and then commit the result.',
    category: 'constraint_conflict',
    because: 'git_conflict',
  },
];

function broken({ exit, output, examination, signal, progress }: Broken): Story {
  const story = new Story({ task: { checks: [] } }).prepared().started();
  if (progress) story.tell({ type: 'progress_observed', attempt: 1, kind: 'tree', detail: 'x' });
  if (signal !== undefined)
    story.tell({
      type: 'signal_raised',
      attempt: 1,
      signal: {
        type: signal,
        severity: 'critical',
        reason: 'seen',
        sinceAt: 1,
        at: 1,
        evidence: [],
        confidence: 1,
        suggestedAction: '',
        disproof: '',
      },
    });
  const diagnosis = output === undefined ? null : diagnose({ output, exitCode: 1 });
  const ended = signal === undefined ? {} : { exitCode: null, signal: 'SIGINT', endedBy: 'mayday' as const };
  return story.ended({ ...ended, ...exit }, { diagnosis, ...examination });
}

describe('the category of a cause comes from its evidence', () => {
  it.each(DAY)('$what: $category', (one) => {
    const [incident] = runJson(broken(one).state).incidents;
    expect({ class: incident?.class, category: incident?.category }).toMatchObject({
      category: one.category,
    });
    expect(incident?.category_reason).toContain(one.because);
  });

  it('and a person who leads a rescue knows better', () => {
    const story = broken(DAY[6] as Broken);
    const plan = {
      category: 'ambiguous_spec' as const,
      rootCause: 'two readings',
      evidence: [],
      injection: 'x',
      filesAdded: [],
      specChanges: [],
    };
    story.tell({ type: 'rescue_requested', by: 'ann', plan });
    expect(runJson(story.state).incidents[0]).toMatchObject({
      category: 'ambiguous_spec',
      category_reason: 'said by ann',
    });
  });
});
