/** `factWords`: a fact in a few words, for the text of a replay. */
import type { Fact } from '../vocabulary/events/event.ts';

export function factWords(fact: Fact): string {
  const name = fact.type.replaceAll('_', ' ');
  switch (fact.type) {
    case 'signal_raised':
      return `attempt ${fact.attempt}: ${fact.signal.type} (${fact.signal.severity})`;
    case 'attempt_ended': {
      const { exitCode, signal } = fact.exit;
      return `attempt ${fact.attempt} ended ${signal === null ? `with exit code ${exitCode ?? 'unknown'}` : `by ${signal}`}`;
    }
    case 'attempt_started':
      return `attempt ${fact.attempt} started${fact.damage === undefined ? '' : `: ${fact.damage.why}`}`;
    case 'attempt_examined':
    case 'attempt_unkillable':
      return name.replace('attempt', `attempt ${fact.attempt}`);
    case 'usage_reported':
    case 'progress_observed':
    case 'agent_told':
    case 'nudge_heard':
      return `attempt ${fact.attempt}: ${name}`;
    case 'timer_fired':
      return `the time of "${fact.name}" is over`;
    case 'question_answered':
      return `${fact.by} answered ${fact.option}`;
    case 'checks_finished':
      return `${fact.purpose} checks finished`;
    default:
      return name;
  }
}
