/** `stopRequested`, `resumeRequested`, `acceptRequested`, `abandonRequested`: carry out what a person asked for. */
import type { FactOf } from '../vocabulary/events/event.ts';
import { liveAttempt, type RunState } from '../state/run-state.ts';
import { continueAfterAnswer } from './recovery/continue-after-answer.ts';
import { abandon, deliverWork, end } from './on-delivery.ts';
import { stopAgain, stopByWord } from './stop-attempt.ts';
import { askPutAside, stopped } from './stopped.ts';
import type { Turn } from './turn.ts';

export function stopRequested(turn: Turn, { withinMs }: FactOf<'stop_requested'>, before: RunState): void {
  const { life } = before;
  if (life.type === 'working') return stopByWord(turn, life.attempt, 'a person asked for it', withinMs);
  if (life.type === 'queued') {
    // The work has not begun, so there is nothing to keep and nothing to ask.
    const { by = 'a person', reason = '' } = turn.state.asked.stop ?? {};
    return end(turn, 'abandoned', `taken from the queue by ${by}${reason ? `: ${reason}` : ''}`);
  }
  // If a process did not end when it was killed, the question about it stays open.
  if (life.type === 'waiting' && liveAttempt(turn.state) === undefined) return stopped(turn);
  // In every other state a decision is about to be taken, and it will see `asked.stop`.
}

export function resumeRequested(turn: Turn, { note }: FactOf<'resume_requested'>, before: RunState): void {
  turn.cancel('question');
  // A note says how to go on. Without one, the question that was open at the stop is asked again.
  if (note !== '' || !askPutAside(turn, before)) continueAfterAnswer(turn, before, note || null);
}

export function acceptRequested(turn: Turn, before: RunState): void {
  const { life } = before;
  if (life.type === 'working') return stopByWord(turn, life.attempt, 'a person accepted the work so far');
  if (liveAttempt(turn.state) !== undefined) return stopAgain(turn, 'a person accepted the work so far');
  if (life.type === 'waiting' || life.type === 'checking') {
    turn.cancel('retry', 'question');
    deliverWork(turn);
  }
}

export function abandonRequested(
  turn: Turn,
  { by, reason }: FactOf<'abandon_requested'>,
  before: RunState,
): void {
  const { life } = before;
  if (life.type === 'working') return stopByWord(turn, life.attempt, 'a person wants it to end');
  if (liveAttempt(turn.state) !== undefined) return stopAgain(turn, 'a person wants it to end');
  // The work is being saved or delivered; that finishes first.
  if (life.type === 'stopping' || life.type === 'examining' || life.type === 'delivering') return;
  turn.cancel('question');
  abandon(turn, `stopped for good by ${by}${reason ? `: ${reason}` : ''}`);
}
