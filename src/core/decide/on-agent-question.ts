/** `isHeardAtOnce`, `questionOf`, `askForAgent`: an agent that ended with a question is heard, unless checks prove its work. */
import { callKind } from '../detect/call-kind.ts';
import type { AgentQuestion, Examination } from '../vocabulary/events/examination.ts';
import { agentOptions, optionFor, ownWords } from '../vocabulary/questions/resolution.ts';
import { currentAttempt, type Attempt, type RunState } from '../state/run-state.ts';
import { nameOrQuote, quoteFenced } from '../text/quote-fenced.ts';
import { ask } from './question/ask.ts';
import { escalate, incidentFor, observed } from './recovery/incident.ts';
import type { Turn } from './turn.ts';

/** A question of an agent may be long; the person should be able to read all of it. */
const MAX_SAID_CHARS = 4_000;

const inANewSession = ownWords('reply', [
  'reply to the agent',
  'your words are in the brief of its next attempt; it has no conversation that could go on',
]);

/** The question of the last attempt, unless a denied call says better what it needs. */
export function questionOf(state: RunState): AgentQuestion | undefined {
  const examination = currentAttempt(state)?.examination ?? null;
  return examination === null || deniedWork(examination).length > 0 ? undefined : examination.asks;
}

/** True: no gate can judge the work, because there is none or nothing to check it with. */
export function isHeardAtOnce({ task, partialWork, explore }: RunState, examination: Examination): boolean {
  const { created, changed, deleted } = partialWork;
  if (explore === 'looking' && (examination.proposal ?? null) !== null) return false;
  return task.checks.length === 0 || created.length + changed.length + deleted.length === 0;
}

/** The denied calls of an attempt that ended with a denial. A tool that asks is not work: allowing it would help no headless agent. */
export function deniedWork({ diagnosis, deniedTools }: Examination): readonly string[] {
  if (diagnosis?.failureType !== 'permission_denied') return [];
  return deniedTools.filter((rule) => callKind(rule, '') !== 'ask');
}

export function askForAgent(turn: Turn, { text, options }: AgentQuestion, attempt: Attempt): void {
  const incident = incidentFor(turn, 'waiting_for_input', attempt.number, attempt.endedAt ?? turn.at);
  const explained = observed(turn, incident, 'waiting_for_input', text, [text]);
  escalate(turn, explained, null, 'the agent asks');
  const own = agentOptions(options.map((label) => nameOrQuote(label, turn.mark)));
  const kind = 'agent_question';
  const isAskedAgain = turn.state.questions.some(
    ({ question, incident: of }) => question.kind === kind && of === incident.id,
  );
  ask(turn, {
    kind,
    text: `The agent asks: ${quoteFenced(text, turn.mark, MAX_SAID_CHARS)}`,
    whyNow: `the agent ended with this question${attempt.agentSession === null ? '' : '; its session can go on'}`,
    options: [
      ...own,
      attempt.agentSession === null ? inANewSession : optionFor('reply'),
      // A word was not enough the last time.
      ...(isAskedAgain ? [optionFor('rescue')] : []),
      optionFor('abandon'),
    ],
    evidence: [],
    about: [],
  });
}
