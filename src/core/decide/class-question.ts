/** The real decision behind each failure class: what failed, how often, what can be done about exactly that. */
import { type Resolution, type OptionWords, optionFor, ownWords } from '../vocabulary/resolution.ts';
import type { ClassWords, FailureAsked, OwnQuestion } from '../vocabulary/class-rule.ts';
import { ruleOf } from '../vocabulary/incident-class.ts';
import { savedTree } from '../state/last-tree.ts';
import { oneLine } from '../text/quote-fenced.ts';
import type { Incident, RunState } from '../state/run-state.ts';
import { minutes } from '../text/minutes.ts';

/** Hope is no advice after so many equal failures. */
const EQUAL_FAILURES = 3;

export function classQuestion(state: RunState, incident: Incident, at: number): OwnQuestion {
  const { question } = ruleOf(incident.class);
  const asked = typeof question === 'function' ? question(askedAbout(state, incident)) : question;
  return 'asks' in asked ? byWords(state, incident, asked, at) : asked;
}

function askedAbout(state: RunState, incident: Incident): FailureAsked {
  const { withheld = [], deniedTools = [] } = state.attempts.at(-1)?.examination ?? {};
  const cause = causeOf(incident);
  return { cause, opening: sentence(cause), withheld, deniedTools, budget: describeBudget(state) };
}

const NOTHING_TO_DO: OptionWords = [
  'nothing has to change: end it',
  'the run ends as delivered, with your reason and without a change',
];

function byWords(state: RunState, incident: Incident, words: ClassWords, at: number): OwnQuestion {
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
