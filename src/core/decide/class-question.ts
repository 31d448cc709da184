/** The real decision behind each failure class: what failed, how often, what can be done about exactly that. */
import type { Resolution } from '../vocabulary/blocker.ts';
import { type FailureClass, isFailureClass } from '../vocabulary/failure-class.ts';
import type { OptionWords } from '../gates/blocker-question.ts';
import { savedTree } from '../gates/candidate-tree.ts';
import type { Question } from '../vocabulary/question.ts';
import { oneLine } from '../text/quote-fenced.ts';
import type { Incident, RunState } from '../state/run-state.ts';
import { minutes } from '../text/minutes.ts';
import { optionFor, ownWords } from './option-for.ts';

export type ClassQuestion = Pick<Question, 'kind' | 'text' | 'options' | 'recommended'>;

/** Hope is no advice after so many equal failures. */
const EQUAL_FAILURES = 3;

export function classQuestion(state: RunState, incident: Incident, at: number): ClassQuestion {
  return BY_CLASS[incident.class]?.(state, incident) ?? byWords(state, incident, at);
}

type Writer = (state: RunState, incident: Incident) => ClassQuestion | null;

const BY_CLASS: Readonly<Partial<Record<Incident['class'], Writer>>> = {
  auth_failure: (state, incident) => ({
    kind: 'login',
    text: `The login is refused: ${causeOf(incident)}. ${withheldOf(state).length > 0 ? 'Pass it, or log in again' : 'Log in again'}, then let the run go on?`,
    options: [
      ...passOption(withheldOf(state)),
      {
        id: 'retry',
        label: 'I have logged in again: go on',
        effect: 'the run resumes in the same agent session',
      },
      optionFor('abandon'),
    ],
    recommended: withheldOf(state).length > 0 ? 'pass_env' : 'retry',
  }),
  budget_exhausted: (state, incident) => ({
    kind: 'budget',
    text: `The budget is used up: ${causeOf(incident)}. Raise it, narrow the task, or stop?`,
    options: [
      {
        id: 'raise_budget',
        label: 'raise it by the same amount again and go on',
        effect: `budget then: ${describeBudget(state)}, once more`,
      },
      {
        id: 'revise_work',
        label: 'narrow the task and go on',
        effect: 'the agent gets your note; the budget is raised by a quarter for the narrower task',
        needsNote: true,
      },
      optionFor('waive_with_reason'),
      optionFor('abandon'),
    ],
    recommended: 'raise_budget',
  }),
  permission_denied: (state, incident) => {
    const denied = state.attempts.at(-1)?.examination?.deniedTools ?? [];
    if (denied.length === 0) return null;
    return {
      kind: 'permission',
      text: `${sentence(causeOf(incident))}. Allow exactly that, do it without, or stop?`,
      options: [
        {
          id: 'allow',
          label: `allow ${denied.join(', ')} and go on`,
          effect: 'recorded as your permission for this run only; the agent goes on in its session',
        },
        optionFor('revise_work'),
        optionFor('waive_with_reason'),
        optionFor('abandon'),
      ],
      recommended: 'revise_work',
    };
  },
  model_refusal: (_, incident) => ({
    kind: 'refusal',
    text: `The model refuses by its policy: ${causeOf(incident)}. Mayday never rephrases to evade it. What should happen?`,
    options: [
      {
        id: 'revise_work',
        label: 'change the task and go on',
        effect: 'your words reach the agent; Mayday adds nothing to them',
        needsNote: true,
      },
      optionFor('abandon'),
    ],
    recommended: 'revise_work',
  }),
  waiting_for_input: (_, incident) => ({
    kind: 'input',
    text: `The agent waits for an answer that nobody can type: ${causeOf(incident)}. What is your answer?`,
    options: [optionFor('answer_question'), optionFor('abandon')],
    recommended: 'answer_question',
  }),
};

function withheldOf({ attempts }: RunState): readonly string[] {
  return attempts.at(-1)?.examination?.withheld ?? [];
}

function passOption(names: readonly string[]): Question['options'] {
  if (names.length === 0) return [];
  const label = `pass ${names.join(', ')} to the agent and go on`;
  const effect =
    'the agent of this run sees it from now on; the value is taken from the shell in which you answer';
  return [{ id: 'pass_env', label, effect }];
}

interface Words {
  /** The decision, as a question. */
  readonly asks: string;
  readonly retry: OptionWords;
  readonly revise?: OptionWords;
  /** The machine or an account is at fault, and only a person can mend that. */
  readonly isTheirs?: boolean;
}

const FROM_CHECKPOINT = 'a new attempt goes on from the checkpoint, with a fresh restart budget';
const TOLD = 'the agent goes on from the checkpoint and is told so; say how with --note';
const otherwise: OptionWords = ['let the agent go about it another way', TOLD];
const again = (label: string): OptionWords => [label, FROM_CHECKPOINT];

const code = (asks: string): Words => ({
  asks,
  retry: again('let the agent try once more'),
  revise: otherwise,
});
const machine = (asks: string, mended: string): Words => ({ asks, retry: again(mended), isTheirs: true });
const ofProcess = (asks: string): Words => ({ asks, retry: again('start it once more'), revise: otherwise });

const WORDS: Readonly<Record<FailureClass, Words>> = {
  test_failure: code('How should the agent make it pass, or is the work to be delivered although it fails?'),
  build_failure: code('How should the agent mend it?'),
  runtime_error: code('How should the agent mend it?'),
  false_success: code('What is still missing, or is the work to be taken as it is?'),
  timeout: {
    asks: 'Give it the same time once more, or a smaller piece of the task?',
    retry: again('give it the same time once more'),
    revise: ['let the agent do a smaller piece', TOLD],
  },
  git_conflict: {
    asks: 'Which of the two intents holds?',
    retry: again('I resolved it: go on'),
    revise: [
      'let the agent resolve it',
      'the agent goes on from the checkpoint; say which side holds with --note',
    ],
  },
  git_error: machine('Repair it in the repository, then let the run go on?', 'I repaired it: go on'),
  auth_failure: machine('Log in again, then let the run go on?', 'I have logged in again: go on'),
  permission_denied: {
    asks: 'Grant exactly that, or should the agent do without?',
    retry: again('I granted it: go on'),
    revise: ['do it without that', TOLD],
    isTheirs: true,
  },
  network_failure: machine('Is the way there mended?', 'it can be reached again: go on'),
  rate_limited: machine(
    'Wait for the reset or raise the limit, then let the run go on?',
    'the limit is over: go on',
  ),
  overloaded: machine('Is the service well again?', 'the service is well again: go on'),
  context_overflow: ofProcess('A smaller piece of the task, or a fresh conversation once more?'),
  session_corrupt: ofProcess('Begin a fresh conversation once more, or stop?'),
  budget_exhausted: machine('Raise the budget, then let the run go on?', 'go on'),
  missing_dependency: {
    asks: 'Install it on this machine, or should the agent do without?',
    retry: again('I installed it: go on'),
    revise: ['do it without that', TOLD],
    isTheirs: true,
  },
  environment: machine('Mend it on this machine, then let the run go on?', 'I mended it: go on'),
  resource_exhausted: machine(
    'Make room on this machine, then let the run go on?',
    'there is room now: go on',
  ),
  interrupted: ofProcess('Who or what ends it from outside? Start it once more when that is over, or stop?'),
  crashed: ofProcess('Does it start at all on this machine? Start it once more, or stop?'),
  frozen: ofProcess('Start it once more, or stop?'),
  stalled: ofProcess('What does it wait for? Start it once more, tell it what to do instead, or stop?'),
  looping: code('What should it do instead of that step?'),
  waiting_for_input: code('What is your answer?'),
  tool_protocol_error: ofProcess('Start it once more, or stop?'),
  model_refusal: code('Change the task, or stop?'),
  unknown: ofProcess('Start it once more, tell it what to do instead, or stop?'),
};

const NOTHING_TO_DO: OptionWords = [
  'nothing has to change: end it',
  'the run ends as delivered, with your reason and without a change',
];

const AT_A_GATE: Words = code('What should the agent do about it, or is the work to be taken as it is?');

function byWords(state: RunState, incident: Incident, at: number): ClassQuestion {
  const words = isFailureClass(incident.class) ? WORDS[incident.class] : AT_A_GATE;
  const times = failuresOf(state, incident);
  const hasWork = savedTree(state) !== state.workspace?.baseTree;
  const isEmpty = !hasWork && state.delivery.blockers.some(({ code: found }) => found === 'empty_change');
  const hopeless = times >= EQUAL_FAILURES && words.isTheirs !== true;
  const options = [
    ownWords('retry', words.retry),
    ...(words.revise === undefined ? [] : [ownWords('revise_work', words.revise)]),
    ...(hasWork ? [optionFor('waive_with_reason')] : []),
    ...(isEmpty ? [ownWords('waive_with_reason', NOTHING_TO_DO)] : []),
    optionFor('abandon'),
  ];
  const recommended: Resolution = hopeless ? (words.revise ? 'revise_work' : 'abandon') : 'retry';
  return {
    kind: incident.class,
    text: [
      `${sentence(causeOf(incident))}${times > 1 ? ` (${times} attempts in a row)` : ''}.`,
      ...resetOf(incident, at),
      ...stepsOf(incident),
      words.asks,
    ].join(' '),
    options,
    recommended,
  };
}

/** Attempts that this incident ended, the first one included. */
function failuresOf({ attempts }: RunState, incident: Incident): number {
  return attempts.filter(({ number, incident: of }) => number === incident.attempt || of === incident.id)
    .length;
}

function resetOf({ diagnosis }: Incident, at: number): string[] {
  const reset = diagnosis?.retryAt ?? null;
  return reset === null || reset <= at ? [] : [`It resets in ${span(reset - at)}.`];
}

function span(ms: number): string {
  const hours = Math.floor(ms / 3_600_000);
  return hours < 2 ? minutes(ms) : hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}

/** What the diagnosis advises a person to do, where it read the output; what Mayday only observed has no such words. */
function stepsOf({ diagnosis }: Incident): string[] {
  return diagnosis?.origin === 'read' && diagnosis.humanInstructions !== null
    ? [diagnosis.humanInstructions]
    : [];
}

/** Providers end such lines with the second of the reset; a person reads a clock. */
const RAW_EPOCH = /[|:\s]*\b1\d{9}(?:\d{3})?\b/g;

/** One line: what a program wrote cannot look like a part of the question that Mayday asks. */
const MAX_CAUSE_CHARS = 600;

function causeOf(incident: Incident): string {
  const cause = oneLine(incident.diagnosis?.rootCause ?? incident.class).replace(RAW_EPOCH, '');
  return cause.slice(0, MAX_CAUSE_CHARS).replace(/[.\s]+$/, '');
}

/** Names of programs and files stay as they are written. */
function sentence(text: string): string {
  return /^(?:the|a|an|no|nothing|it|attempt|this|that|there)\b/.test(text)
    ? text.charAt(0).toUpperCase() + text.slice(1)
    : text;
}

function describeBudget({ budget }: RunState): string {
  const parts = [
    budget.tokens === null ? null : `${budget.tokens} tokens`,
    budget.usd === null ? null : `$${budget.usd}`,
    budget.turns === null ? null : `${budget.turns} turns`,
    budget.wallClockMs === null ? null : `${minutes(budget.wallClockMs)} of working time`,
  ];
  return parts.filter((part) => part !== null).join(', ');
}
