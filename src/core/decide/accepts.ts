/**
 * Is this fact still about the run as it is now? Late messages, doubles and words about an earlier attempt are not: a
 * stale message must never touch a new attempt.
 */
import type { Fact } from '../event.ts';
import { openQuestion, type RunState } from '../run-state.ts';

export function accepts(state: RunState, fact: Fact): boolean {
  const { life } = state;
  if (life.type === 'ended')
    return fact.type === 'released' || fact.type === 'taken_over' || fact.type === 'lesson_proposed';
  switch (fact.type) {
    case 'run_created':
      return false;
    case 'workspace_prepared':
      return life.type === 'preparing' && state.workspace === null;
    case 'checks_finished':
      return fact.purpose === 'baseline'
        ? life.type === 'preparing' || (life.type === 'checking' && state.attempts.length === 0)
        : life.type === 'checking' && life.tree === fact.tree;
    case 'attempt_started':
      return (
        (life.type === 'working' || life.type === 'stopping') &&
        life.attempt === fact.attempt &&
        liveAttempt(state)?.startedAt === null
      );
    case 'attempt_ended':
    case 'attempt_unkillable':
    case 'signal_raised':
      return (life.type === 'working' || life.type === 'stopping') && life.attempt === fact.attempt;
    case 'attempt_examined':
      return life.type === 'examining' && life.attempt === fact.attempt;
    case 'usage_reported':
    case 'progress_observed':
      return state.attempts.at(-1)?.number === fact.attempt;
    case 'work_split':
    case 'work_rebased':
      return life.type === 'checking';
    case 'work_delivered':
    case 'delivery_blocked':
      return life.type === 'delivering';
    case 'timer_fired':
      return timerFits(state, fact.name);
    case 'question_answered':
      return openQuestion(state)?.question.id === fact.question;
    case 'stop_requested':
      return life.type !== 'stopping' || life.by !== 'person';
    case 'resume_requested':
      return life.type === 'waiting';
    case 'flag_raised':
      return life.type === 'working';
    case 'command_failed':
    case 'checkpoint_taken':
    case 'checkpoint_restored':
    case 'taken_over':
    case 'accept_requested':
    case 'abandon_requested':
    case 'lessons_matched':
    case 'lesson_proposed':
    case 'released':
      return true;
  }
}

function liveAttempt(state: RunState) {
  return state.attempts.at(-1);
}

function timerFits({ life }: RunState, name: string): boolean {
  switch (name) {
    case 'retry':
      return life.type === 'waiting' && life.for !== 'person';
    case 'timeout':
      return life.type === 'working';
    case 'question':
      return life.type === 'waiting' && life.for === 'person';
    default:
      return false;
  }
}
