/** A person's word: answers, stop, resume, accept. Never given in a person's name by Mayday itself. */
import type { Fact } from '../event.ts';
import { liveAttempt, openIncident, type RunState } from '../run-state.ts';

import { gateAnswered } from './gate-answered.ts';
import { abandon, deliverAgain, deliverWork, end } from './on-gate.ts';
import { askAgain } from './ask-again.ts';
import { planAttempt } from './plan-attempt.ts';
import { stopAgain } from './stop-again.ts';
import { askPutAside, stopped } from './stopped.ts';
import type { Turn } from './turn.ts';

type Of<T extends Fact['type']> = Extract<Fact, { type: T }>;

export function stopRequested(turn: Turn, before: RunState): void {
  const { life } = before;
  if (life.type === 'working') return stopAttempt(turn, life.attempt, 'a person asked for it');
  if (life.type === 'queued') {
    // Nothing has begun: there is nothing to keep and nothing to ask.
    const { by = 'a person', reason = '' } = turn.state.stopAsked ?? {};
    return end(turn, 'abandoned', `taken from the queue by ${by}${reason ? `: ${reason}` : ''}`);
  }
  // A process that would not die is still there: its question stays open.
  if (life.type === 'waiting' && liveAttempt(turn.state) === undefined) return stopped(turn);
  // Everything else is on its way to a decision, which will see `stopAsked`.
}

export function resumeRequested(turn: Turn, { note }: Of<'resume_requested'>, before: RunState): void {
  turn.cancel('question');
  // Advice is a way on; without it, what was open at the stop is still open.
  if (note !== '' || !askPutAside(turn, before)) goAgain(turn, before, note || null);
}

export function acceptRequested(turn: Turn, before: RunState): void {
  const { life } = before;
  if (life.type === 'working') return stopAttempt(turn, life.attempt, 'a person accepted the work so far');
  if (liveAttempt(turn.state) !== undefined) return stopAgain(turn, 'a person accepted the work so far');
  if (life.type === 'waiting' || life.type === 'checking') {
    turn.cancel('retry');
    turn.cancel('question');
    deliverWork(turn);
  }
}

export function abandonRequested(
  turn: Turn,
  { by, reason }: Of<'abandon_requested'>,
  before: RunState,
): void {
  const { life } = before;
  if (life.type === 'working') return stopAttempt(turn, life.attempt, 'a person wants it to end');
  if (liveAttempt(turn.state) !== undefined) return stopAgain(turn, 'a person wants it to end');
  // Its work is being saved or delivered: that is seen through first.
  if (life.type === 'stopping' || life.type === 'examining' || life.type === 'delivering') return;
  turn.cancel('question');
  abandon(turn, `stopped for good by ${by}${reason ? `: ${reason}` : ''}`);
}

export function questionAnswered(
  turn: Turn,
  { option, note, by }: Of<'question_answered'>,
  before: RunState,
): void {
  turn.cancel('question');
  if (liveAttempt(turn.state) !== undefined) return stopAgain(turn, `answered: ${option}`);
  switch (option) {
    case 'abandon':
      return abandon(turn, `abandoned by ${by}${note ? `: ${note}` : ''}`);
    default:
      if (!gateAnswered(turn, option, before)) goAgain(turn, before, answerNote(before, option, note));
  }
}

/** Where going on begins: with the workspace if there is none, otherwise with an attempt. */
function goAgain(turn: Turn, before: RunState, note: string | null): void {
  turn.cancel('retry');
  turn.cancel('question');
  if (askAgain(turn)) return;
  if (before.passed !== null) return deliverAgain(turn);
  const last = openIncident(turn.state)?.recoveries.findLast(({ strategy }) => strategy !== 'escalate');
  // A person's word costs no restart.
  planAttempt(turn, last === undefined ? null : { ...last, counted: false }, note);
}

function stopAttempt(turn: Turn, attempt: number, why: string): void {
  turn.decide({ type: 'stop_decided', attempt, why, by: 'person' });
  turn.command({ type: 'stop_attempt', attempt, why, by: 'person' });
}

/** What the agent is told of the answer: the person's own words, and which option they took. */
function answerNote(before: RunState, option: string, note: string): string | null {
  const asked = before.questions.findLast(({ state }) => state === 'open')?.question;
  const label = asked?.options.find(({ id }) => id === option)?.label;
  if (option === 'retry') return note || null;
  // The label of "answer it" is no answer.
  if (option === 'answer_question') return `Decision on "${asked?.text ?? ''}": ${note}`;
  return [`Decision on "${asked?.text ?? ''}": ${label ?? option}.`, note].filter(Boolean).join(' ');
}
