/** `classQuestion`: the question for a failure class: what failed, how often, and what can be done about exactly that. */
import { type OptionWords, optionFor, ownWords } from '../../vocabulary/questions/resolution.ts';
import type { ClassWords, FailureAsked, OwnQuestion } from '../../vocabulary/classes/class-rule.ts';
import { ruleOf } from '../../vocabulary/classes/incident-class.ts';
import { savedTree } from '../../state/last-tree.ts';
import { nameOrQuote, oneLine, quoteFenced } from '../../text/quote-fenced.ts';
import type { Incident, RunState } from '../../state/run-state.ts';
import { minutes } from '../../text/minutes.ts';
import { literalEnd } from '../../text/literal-end.ts';
import { checkFails } from '../../vocabulary/blockers/words.ts';
import { faultyCheck } from '../machine-fault.ts';

/** After this many failures in a row, whatever they were, or after a rescue in vain, "retry" is no longer recommended. */
const EQUAL_FAILURES = 3;

interface Moment {
  readonly at: number;
  /** The mark around text that programs and agents wrote. */
  readonly mark: string;
}

export function classQuestion(state: RunState, incident: Incident, moment: Moment): OwnQuestion {
  const { question } = ruleOf(incident.class);
  const asked = typeof question === 'function' ? question(askedAbout(state, incident, moment)) : question;
  return 'asks' in asked ? byWords(state, incident, asked, moment) : asked;
}

function askedAbout(state: RunState, incident: Incident, { mark }: Moment): FailureAsked {
  const { withheld = [], deniedTools = [] } = state.attempts.at(-1)?.examination ?? {};
  const quote = (text: string) => nameOrQuote(text, mark);
  return {
    cause: causeOf(incident, mark),
    said: saidOf(incident, mark),
    withheld: withheld.map(quote),
    deniedTools: deniedTools.map(quote),
    budget: describeBudget(state),
    hasWorked: hasWork(state) || state.attempts.some(({ progressAt }) => progressAt !== null),
  };
}

export const LOOK_AGAIN = 'it can run now: look again';
const RUN_AGAIN: OptionWords = [LOOK_AGAIN, 'the check is run again on the work as it is'];

const NOTHING_TO_DO: OptionWords = [
  'nothing has to change: end it',
  'the run ends as delivered, with your reason and without a change',
];

function byWords(state: RunState, incident: Incident, words: ClassWords, { at, mark }: Moment): OwnQuestion {
  const times = failuresOf(state, incident);
  const check = faultyCheck(state, incident);
  const opens =
    check === undefined
      ? (words.opens ?? 'The run stopped')
      : `\`${check.command}\` fails with exactly the same output as before the work`;
  const isEmpty =
    !hasWork(state) && state.delivery.blockers.some(({ code: found }) => found === 'empty_change');
  const restarts = state.attempts.filter(
    ({ counted, plannedAt }) => counted && plannedAt > state.forgivenAt,
  ).length;
  const isRescuedInVain = state.missions.at(-1)?.outcome === 're-escalated';
  const hopeless =
    (isRescuedInVain || Math.max(times, restarts) >= EQUAL_FAILURES) && words.isTheirs !== true;
  const options = [
    ownWords('retry', check === undefined ? words.retry : RUN_AGAIN),
    ...(words.revise === undefined ? [] : [ownWords('revise_work', words.revise)]),
    ...(hasWork(state) ? [optionFor('waive_with_reason')] : []),
    ...(isEmpty ? [ownWords('waive_with_reason', NOTHING_TO_DO)] : []),
    // What a person mends on the machine is answered by saying so; everything else may need more than a word.
    ...(words.isTheirs === true ? [] : [optionFor('rescue')]),
    optionFor('abandon'),
  ];
  const alike = isEmpty ? checksAlike(state) : [];
  return {
    kind: incident.class,
    text: [
      `${opens}: ${checkFailed(state, incident, mark) ?? causeOf(incident, mark)}${times > 1 ? ` (${times} attempts in a row)` : ''}.`,
      ...resetOf(incident, at),
      ...stepsOf(incident, mark),
      ...alike,
      words.asks,
    ].join(' '),
    options,
    preferred: hopeless ? (words.revise ? 'revise_work' : 'abandon') : 'retry',
  };
}

function hasWork(state: RunState): boolean {
  return savedTree(state) !== state.workspace?.baseTree;
}

/** Where every check passed before the work: they pass without a change, so they cannot show what is left to do. */
function checksAlike({ checks, task }: RunState): string[] {
  const passed = (command: string) =>
    checks.some((one) => one.purpose === 'baseline' && one.command === command && one.passed);
  if (task.checks.length === 0 || !task.checks.every(passed)) return [];
  const names = task.checks.map((command) => `\`${command}\``).join(', ');
  const [verb, it] = task.checks.length === 1 ? ['passes', 'it proves'] : ['pass', 'they prove'];
  return [`${names} ${verb} before the work too, so ${it} nothing here: maybe nothing has to change.`];
}

/** Attempts that this incident ended, the first one included. */
function failuresOf({ attempts }: RunState, incident: Incident): number {
  return attempts.filter(({ number, incident: of }) => number === incident.attempt || of === incident.id)
    .length;
}

function resetOf({ diagnosis }: Incident, at: number): string[] {
  const reset = diagnosis?.retryAt ?? null;
  return reset === null || reset <= at ? [] : [`It resets in ${minutes(reset - at)}.`];
}

/** What the diagnosis advises a person to do, where it read the output; what Mayday only observed has no such words. */
function stepsOf({ diagnosis }: Incident, mark: string): string[] {
  return diagnosis?.origin === 'read' && diagnosis.humanInstructions !== null
    ? [`Advice: ${quoteFenced(diagnosis.humanInstructions, mark, MAX_CAUSE_CHARS)}.`]
    : [];
}

/** Providers end such lines with the reset time in epoch seconds, which a person cannot read. */
const RAW_EPOCH = /[|:\s]*\b1\d{9}(?:\d{3})?\b/g;

const MAX_CAUSE_CHARS = 600;

/** The cause may contain text that a program or an agent wrote, so it is quoted. */
function causeOf(incident: Incident, mark: string): string {
  return quoteFenced(causeLine(incident), mark, MAX_CAUSE_CHARS);
}

function causeLine({ diagnosis, class: failure }: Incident): string {
  return oneLine(diagnosis?.rootCause ?? failure)
    .replace(RAW_EPOCH, '')
    .replace(/[.\s]+$/, '');
}

/** Only what the program said itself, where the opening words of the question say the rest; otherwise the cause. */
function saidOf(incident: Incident, mark: string): string {
  const said = literalEnd(causeLine(incident), incident.diagnosis?.evidence ?? []);
  return said === null ? causeOf(incident, mark) : quoteFenced(said, mark, MAX_CAUSE_CHARS);
}

/** More lines are in the evidence. */
const SAID_LINES = 2;

/** Work that a check of the task refused: the check by its name, and only its output as a quotation. Null: it is something else. */
function checkFailed(state: RunState, incident: Incident, mark: string): string | null {
  const [first] = state.delivery.blockers;
  if (incident.class !== 'false_success' || first?.code !== 'check_failed' || !('exitCode' in first))
    return null;
  const lines = first.output.slice(0, SAID_LINES).map((line) => line.trim());
  const said = lines.length === 0 ? '' : `: ${quoteFenced(lines.join(' '), mark, MAX_CAUSE_CHARS)}`;
  const fails = checkFails({ ...first, command: `\`${first.command}\`` });
  return `${fails}${said}${hasWork(state) ? '' : ' (no file changed)'}`;
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
