/** `flagRaised`, `askAboutFlag`, `raisedByAgent`: the blocker flag of a person or an agent; the question carries its reason. */
import { BLOCKERS, isBlockerCode } from '../vocabulary/blockers/blocker.ts';
import type { Blocker } from '../vocabulary/blockers/blocker-rule.ts';
import type { Examination, IncidentClass, FactOf } from '../vocabulary/events/event.ts';
import { FAILURE_CLASSES, isFailureClass } from '../vocabulary/classes/failure-class.ts';
import { type Attempt, parkedAttempt, type RunState } from '../state/run-state.ts';
import { nameOrQuote, quoteFenced } from '../text/quote-fenced.ts';
import { ask, saidBlocker } from './question/ask.ts';
import { stoppingSignal } from './recovery/classify.ts';
import { escalate, incidentFor, observed } from './recovery/incident.ts';
import { agentOptions, optionFor, ownWords } from '../vocabulary/questions/resolution.ts';
import { stopFor } from './stop-attempt.ts';
import type { Turn } from './turn.ts';

/** A question of an agent may be long; the person should be able to read all of it. */
const MAX_SAID_CHARS = 2_000;

export function flagRaised(turn: Turn, { by, reason }: FactOf<'flag_raised'>): void {
  const { life, asked } = turn.state;
  if (life.type === 'waiting' && asked.flag !== undefined) {
    turn.cancel('retry');
    return askAboutFlag(turn, asked.flag);
  }
  if (life.type !== 'working') return;
  const incident = incidentFor(turn, 'waiting_for_input', life.attempt, turn.at);
  observed(turn, incident, 'waiting_for_input', flagSentence({ by, reason }), [reason]);
  const why = `flag raised by ${by}: ${reason}`;
  const cause = { class: 'waiting_for_input', reason: flagSentence({ by, reason }) } as const;
  stopFor(turn, life.attempt, why, cause);
}

/** Asks the question: after the attempt that the flag stopped has been examined, or before the next one starts. */
export function askAboutFlag(turn: Turn, flagged: NonNullable<Attempt['flagged']>): void {
  const { reason } = flagged;
  turn.decide({ type: 'blocked', blockers: [flagBlocker(turn.state, 'waiting_for_input', [reason])] });
  // The flag stands between two attempts where the next is planned already: what ends that one later has its own incident.
  const attempt = (parkedAttempt(turn.state)?.number ?? turn.state.attempts.length + 1) - 1;
  const incident = incidentFor(turn, 'waiting_for_input', attempt, flagged.at);
  const text = flagSentence(flagged);
  const said = flagSentence({ by: flagged.by, reason: quoteFenced(reason, turn.mark, MAX_SAID_CHARS) });
  const explained = observed(turn, incident, 'waiting_for_input', text, [reason]);
  escalate(turn, explained, null, text);
  ask(turn, {
    kind: 'flag',
    text: `${said}. How should the agent go on?`,
    whyNow: 'no agent works on it because of the flag; its work is safe',
    options: [
      ownWords('revise_work', [
        'go on as the flag says',
        'the agent goes on from the checkpoint and is told the reason; a note adds to it',
      ]),
      optionFor('answer_question'),
      optionFor('abandon'),
    ],
    evidence: [reason],
    about: [],
  });
}

/** Handles the agent's own note. Its code is a claim about where the trouble lies: it names the incident, but it passes no gate. */
export function raisedByAgent(
  turn: Turn,
  raised: NonNullable<Examination['raised']>,
  attempt: Attempt,
): void {
  const { reason, code } = raised;
  if (raised.scope !== undefined) return scopeRequested(turn, raised.reason, raised.scope, attempt);
  const known = code !== null && (isBlockerCode(code) || isFailureClass(code)) ? code : null;
  const named: IncidentClass = known ?? 'waiting_for_input';
  const evidence = [
    reason,
    ...(code === null || known !== null ? [] : [`the code ${JSON.stringify(code)} is not in the vocabulary`]),
    ...(raised.evidence ?? []),
  ];
  const found = flagBlocker(turn.state, named, evidence);
  turn.decide({ type: 'blocked', blockers: [found] });
  const detectedAt = stoppingSignal(attempt)?.at ?? attempt.endedAt ?? turn.at;
  const incident = incidentFor(turn, named, attempt.number, detectedAt);
  const explained = observed(turn, incident, named, reason, evidence);
  escalate(turn, explained, explained.diagnosis?.returnTo ?? null, 'the agent raised the blocker flag');
  const quote = (said: string) => quoteFenced(said, turn.mark, MAX_SAID_CHARS);
  const own = agentOptions(raised.options.map((label) => nameOrQuote(label, turn.mark)));
  const isTold = raised.question === null || raised.question === reason;
  ask(turn, {
    kind: known ?? 'blocker',
    text:
      raised.question === null
        ? `The agent cannot go on: ${quote(reason)}`
        : `The agent asks: ${quote(raised.question)}`,
    whyNow: `the agent raised the blocker flag${isTold ? '' : `: ${quote(reason)}`}`,
    options: [
      ...own,
      optionFor('answer_question'),
      ...(raised.question === null ? [optionFor('rescue')] : []),
      optionFor('abandon'),
    ],
    evidence,
    // The wording is the agent's, so an approval of it must lift no blocker at a gate.
    about: [],
  });
}

/** The agent stopped because the task needs more than its scope. Only a person widens it. */
function scopeRequested(turn: Turn, reason: string, paths: readonly string[], attempt: Attempt): void {
  const evidence = [reason, ...paths];
  turn.decide({ type: 'blocked', blockers: [flagBlocker(turn.state, 'scope_exceeded', evidence)] });
  const incident = incidentFor(turn, 'scope_exceeded', attempt.number, attempt.endedAt ?? turn.at);
  const explained = observed(turn, incident, 'scope_exceeded', reason, evidence);
  escalate(turn, explained, 'explore', 'the agent asks for a wider scope');
  const named = paths.map((path) => nameOrQuote(path, turn.mark)).join(', ');
  const why = quoteFenced(reason, turn.mark, MAX_SAID_CHARS);
  ask(turn, {
    kind: 'scope',
    text: `The agent asks to change ${named} as well: ${why}`,
    whyNow: 'the agent stopped to ask for a wider scope; its work is safe',
    options: [
      ownWords('expand_scope', [
        'yes, it may change that too',
        'the scope is recorded as widened by you; the agent goes on from the checkpoint',
      ]),
      optionFor('revise_work'),
      optionFor('abandon'),
    ],
    evidence,
    about: [],
  });
}

function flagBlocker(state: RunState, code: IncidentClass, evidence: readonly string[]): Blocker {
  const returnsTo = isFailureClass(code) ? FAILURE_CLASSES[code].returnTo : BLOCKERS[code].returnsTo;
  return saidBlocker(state, { code, returnsTo, evidence }, ['answer_question', 'abandon']);
}

function flagSentence({ by, reason }: { readonly by: string; readonly reason: string }): string {
  return `${by} raised the blocker flag: ${reason.replace(/[.\s]+$/, '')}`;
}
