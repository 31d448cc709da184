/** Starting the next attempt: the decision with its brief is on disk before the hand moves. */
import { renderBrief } from '../brief.ts';
import type { AgentChoice, Recovery } from '../event.ts';
import { currentAttempt, openIncident } from '../run-state.ts';
import { exploreHint } from './explore-hint.ts';
import type { Turn } from './turn.ts';

export function planAttempt(turn: Turn, recovery: Recovery | null, note: string | null): void {
  const previous = currentAttempt(turn.state);
  const agent: AgentChoice = recovery?.agent ?? previous?.agent ?? turn.state.agent;
  const session = previous !== undefined && previous.agent.name === agent.name ? previous.agentSession : null;
  const resume = recovery?.freshSession ? null : session;
  const attempt = turn.state.attempts.length + 1;
  const { lessons } = turn.state;
  const brief = renderBrief(turn.state, {
    hint: exploreHint(turn.state, note ?? recovery?.hint ?? null),
    at: turn.at,
    lessons,
  });
  turn.cancel('retry');
  turn.decide({
    type: 'attempt_planned',
    attempt,
    incident: openIncident(turn.state)?.id ?? null,
    agent,
    resume: resume !== null,
    brief,
    counted: recovery?.counted ?? false,
    lessons: lessons.map(({ id, hash, match }) => ({ id, hash, match })),
  });
  turn.command({ type: 'start_attempt', attempt, agent, resume, brief });
}
