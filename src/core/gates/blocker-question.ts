/** The real decision behind each blocker, in words: what is wrong, what can be done, what each answer does. */
import { type Blocker, type BlockerCode, isBlockerCode } from '../vocabulary/blocker.ts';
import { blockerEvidence } from '../vocabulary/blocker-evidence.ts';
import type { RunState } from '../state/run-state.ts';
import { ownBranch } from '../vocabulary/task.ts';
import { scopeLeft } from '../state/scope-left.ts';

export interface BlockerQuestion {
  readonly kind: string;
  readonly text: string;
  /** Own words for some options; the others keep theirs. */
  readonly labels: Readonly<Partial<Record<string, OptionWords>>>;
}

export type OptionWords = readonly [label: string, effect: string, needsNote?: boolean];

const SHOWN_PATHS = 8;

/** `evidence`: the blocker in words, the case first. */
type Writer = (
  state: RunState,
  evidence: readonly string[],
  blocker: Blocker,
) => Omit<BlockerQuestion, 'kind'>;

const simple =
  (text: (first: string, state: RunState) => string): Writer =>
  (state, [first = '']) => ({ text: text(first, state), labels: {} });

const WRITERS: Readonly<Record<BlockerCode, Writer>> = {
  scope_missing: (_, [first = '']) => ({
    text: `Nothing says what may change: ${first}. May the whole workspace change?`,
    labels: {
      expand_scope: ['yes, the whole workspace', 'the scope is recorded as yours and the work begins'],
    },
  }),
  scope_stale: (state, evidence) => {
    const left = scopeLeft(state);
    const gone = `The scope names what is no longer there: ${paths(evidence)}.`;
    return left.length > 0
      ? {
          text: `${gone} Go on with what is left of it, ${left.join(', ')}?`,
          labels: { expand_scope: ['go on with what is left of the scope', 'recorded as your confirmation'] },
        }
      : {
          text: `${gone} Nothing is left of it. What may change instead?`,
          labels: {
            expand_scope: [
              'name what may change, as globs with spaces between',
              'recorded as your scope; the work begins',
              true,
            ],
          },
        };
  },
  decision_pending: (_, [question = '', why = '']) => ({
    text: `A decision must be taken before the work: ${question} (${why})`,
    labels: {
      answer_question: ['decide', 'recorded as your decision and told to the agent'],
      record_judgment: ['leave it to the agent', 'recorded as your judgment', false],
    },
  }),
  approval_missing: (state, [first = '', ...rest]) => ({
    text:
      state.explore === 'proposed'
        ? `The agent looked and proposes: ${[first, ...rest].join('; ')}. Confirm and let it build?`
        : `This work needs an approval before it starts: ${first}. Approve?`,
    labels: {
      record_judgment: ['approve', 'recorded as your approval of exactly this; the work goes on', false],
    },
  }),
  scope_exceeded: (state, evidence) => ({
    text: `${paths(evidence)} must change, but ${evidence.length === 1 ? 'it is' : 'they are'} outside the scope ${state.scope.allowed.join(', ')}. Expand the scope to include ${paths(evidence)}?`,
    labels: {
      expand_scope: [
        `expand the scope to ${paths(evidence)} and go on`,
        'the gate is asked again with the wider scope',
      ],
      revise_work: [
        'do it without',
        'the agent goes on from the checkpoint and is told so; add your advice with --note',
      ],
    },
  }),
  missing_verification: simple((first) => `The change is not proven: ${first}. How should it be proven?`),
  check_failed: simple((first) => `A required check fails: ${first}. What should happen?`),
  check_not_recorded: (_, [command = '', why = '']) => ({
    text: `\`${command}\` has no record for this work${why === '' ? '' : ` (${why})`}. Run it?`,
    labels: { retry: ['run it', 'it becomes a check of this run; the gate is asked again'] },
  }),
  touch_point_unrecorded: (_, [first = '', ...rest], { source }) => {
    const known = first !== '' && LEFT_BEHIND[source as keyof typeof LEFT_BEHIND];
    if (!known) return { text: `The work touches what needs a record: ${first}. Is that meant?`, labels: {} };
    const [asks, yes] = known;
    const undo = rest.length === 0 ? '' : ` ${rest.slice(0, 3).join('; ')}.`;
    const effect = 'recorded as your judgment of exactly this work; the gate is asked again';
    return { text: `${first}.${undo} ${asks}`, labels: { record_judgment: [yes, effect] } };
  },
  work_too_vague: simple((first) => `The work cannot be delivered as it is: ${first}. What should happen?`),
  work_not_saved: (_, [first = '', ...why]) => ({
    text: `Part of the work could not be saved: ${first} (${why.slice(0, 3).join('; ')}). What should happen?`,
    labels: {
      retry: [
        'I made it readable or small enough, or moved it away: save the work again',
        'the workspace is saved again and the gate asked again; no agent is started',
      ],
      revise_work: [
        'let the agent do without it',
        'the agent goes on from the checkpoint and is told so; add your advice with --note',
      ],
      waive_with_reason: [
        'deliver without it, your reason in --note',
        'recorded as your word for exactly this work, then delivered; what is missing is named wherever the delivery is told',
      ],
    },
  }),
  empty_change: simple(() => 'Nothing was changed. Is there nothing to do?'),
  decision_conflict: (_, [question = '', both = '']) => ({
    text: `Two recorded decisions disagree on "${question}": ${both}. Which one holds?`,
    labels: {
      record_judgment: [
        'keep this work and say which holds',
        'recorded as your judgment; the gate is asked again',
      ],
      revise_work: [
        'change the work to the other decision',
        'the agent goes on from the checkpoint and is told so',
      ],
    },
  }),
  policy_violated: (_, [policy = '', ...rest], blocker) => ({
    text: `The change breaks the ${policy}. ${rest.slice(0, 3).join('; ')}. Make it hold, grant an exception, or reject the work?`,
    labels: {
      revise_work: [
        `make it hold: ${blocker.source === 'policy' ? blocker.says : policy}`,
        'the agent goes on from the checkpoint to add it',
      ],
      waive_with_reason: [
        'grant an exception',
        'recorded as your exception for exactly this work, with your reason, then delivered',
      ],
      abandon: ['reject the work', 'the run ends; the work stays on a branch of its own'],
    },
  }),
  verification_outdated: (_, [first = '', why = '']) => ({
    text: `${first}, when what judges the work is as before: ${why}. Is the changed judge right?`,
    labels: {
      waive_with_reason: [
        'it is meant: deliver with the changed judge, your reason in --note',
        'recorded as your waiver for exactly this work, then delivered; name such files with --scope to own them from the start',
      ],
    },
  }),
  change_conflict: (_, [what = '', mine = '', ...theirs]) => ({
    text: `${what}. ${mine}. ${theirs.slice(0, 3).join('; ')}. Which should give way?`,
    labels: {
      rebase: [
        'bring the work onto it; the agent resolves what collides',
        'the work is moved onto the current target; both intents are told to the agent',
      ],
      revise_work: ['do it differently', 'the agent goes on from the checkpoint with your advice', true],
    },
  }),
  judgment_missing: (_, [question = '', why = '']) => ({
    text: `A person must judge this before it goes on: ${question} (${why}). Is it right?`,
    labels: {
      record_judgment: ['yes', 'recorded as your judgment of exactly this tree; say more with --note', false],
    },
  }),
  patch_does_not_apply: (_, [first = '']) => ({
    text: `The work is complete and kept. ${first} Move it onto the current target, or write the patch as it is?`,
    labels: {
      choose_patch_output: [
        'write the patch against the base',
        'it applies to the commit the work began from',
      ],
    },
  }),
  sink_not_writable: (state, [first = '']) => ({
    text: `The work is complete and kept, but the sink cannot be written: ${first} How should it be delivered?`,
    labels:
      state.sink.type === 'branch'
        ? { fix_sink: ['I fixed the sink: deliver again, or to the branch named by --note', SAME_WORK] }
        : {},
  }),
  generator_unavailable: simple(
    (first) =>
      `The work is complete and kept, but a program for the sink is missing: ${first} How should it be delivered?`,
  ),
  sink_drifted: (state, [first = '']) => ({
    text: `The work is complete and kept, but the sink moved: ${first} How should it be delivered?`,
    labels: state.sink.type === 'branch' ? { fix_sink: anotherBranch(state.sink.name, state.runId) } : {},
  }),
  approval_required: (_, [first = '']) => ({
    text: `The work is complete. Writing it needs your approval: ${first}`,
    labels: {
      record_judgment: ['approve', 'recorded as your approval of exactly this tree, then delivered', false],
    },
  }),
  delivery_failed: (_, [first = '']) => ({
    text: `The work is complete and kept, but it could not be delivered: ${first} How should it be delivered?`,
    labels: { retry: ['try the delivery again', 'only what is missing is done; nothing is delivered twice'] },
  }),
};

/** What an agent left outside its work, by the source of the blocker: what is asked, and what a yes means. */
const LEFT_BEHIND = {
  git: [
    'Your own git would run it next; Mayday does not. Is it as you want it now?',
    'yes: I put it back, or it is meant; your reason in --note',
  ],
  refs: ['Was that you?', 'yes, or I put it back; your reason in --note'],
  processes: ['Are they yours?', 'yes, or I ended them; your reason in --note'],
} as const;

const SAME_WORK = 'the same work is delivered; what is there stays as it is';

function anotherBranch(taken: string, runId: string): OptionWords {
  const own = ownBranch(runId);
  return taken === own
    ? ['deliver to another branch, named by --note', SAME_WORK, true]
    : [`deliver to ${own}, or to the branch named by --note`, SAME_WORK];
}

export function blockerQuestion(state: RunState, blocker: Blocker): BlockerQuestion {
  const { code, resolutions, source } = blocker;
  const evidence = blockerEvidence(blocker);
  if (!isBlockerCode(code)) return { kind: code, text: `${code}: ${evidence.join('; ')}`, labels: {} };
  const kind =
    code === 'scope_exceeded' || code === 'scope_missing' || code === 'scope_stale' ? 'scope' : code;
  const words =
    source === 'submodule' ? inSubmodule(evidence, resolutions) : WRITERS[code](state, evidence, blocker);
  return { kind, ...words };
}

function inSubmodule(evidence: readonly string[], resolutions: Blocker['resolutions']) {
  const isOne = evidence.length === 1;
  const rest = resolutions.includes('split_work')
    ? `Deliver the rest without ${isOne ? 'it' : 'them'}?`
    : 'Do the task without it?';
  const text = `${paths(evidence)} ${isOne ? 'lies' : 'lie'} in a submodule, which is another repository: a commit here cannot hold the change. ${rest}`;
  const labels: BlockerQuestion['labels'] = {
    split_work: [
      'deliver the rest without the submodule',
      'checked and delivered without it; its changes stay in the checkpoint',
    ],
    revise_work: [
      'let the agent do it without changing the submodule',
      'the agent goes on from the checkpoint and is told so; add your advice with --note',
    ],
  };
  return { text, labels };
}

function paths(evidence: readonly string[]): string {
  const more = evidence.length > SHOWN_PATHS ? ` and ${evidence.length - SHOWN_PATHS} more` : '';
  return `${evidence.slice(0, SHOWN_PATHS).join(', ')}${more}`;
}
