/** `timerFired`: decides what happens when a timer fires: a retry, a time limit, the budget, or the deadline of a question. */
import { liveAttempt, openIncident, openQuestion, readyAttempt, type RunState } from '../state/run-state.ts';
import { minutes } from '../text/minutes.ts';
import { BUDGET_TIMER, budgetTimerFired } from './recovery/hard-budget.ts';
import { NUDGE_TIMER, nudgeUnheard } from './nudge.ts';
import { incidentFor } from './recovery/incident.ts';
import { deliverAgain, end } from './on-delivery.ts';
import { startMission } from './on-mission.ts';
import { planAttempt, startParked } from './plan-attempt.ts';
import { stopFor } from './stop-attempt.ts';
import type { Turn } from './turn.ts';

export function timerFired(turn: Turn, name: string): void {
  switch (name) {
    case 'retry':
      return retry(turn);
    case 'timeout':
      return timedOut(turn);
    case BUDGET_TIMER:
      return budgetTimerFired(turn);
    case NUDGE_TIMER:
      return nudgeUnheard(turn);
    case 'question':
      return unanswered(turn);
    default:
  }
}

/** Questions that no new brief can settle: an agent cannot mend a login, a budget, a shared cause or a refusal. */
const ONLY_A_PERSON: ReadonlySet<string> = new Set(['login', 'budget', 'shared_cause', 'refusal']);

function retry(turn: Turn): void {
  const { passed } = turn.state.delivery;
  if (passed !== null) return deliverAgain(turn, passed);
  const parked = readyAttempt(turn.state);
  if (parked !== undefined) return startParked(turn, parked, 'its time has come');
  planAttempt(turn, openIncident(turn.state)?.recoveries.at(-1) ?? null, null);
}

/** The deadline passed without an answer. It never ends a run that still has a live process. */
function unanswered(turn: Turn): void {
  const { policy, missions } = turn.state;
  if (liveAttempt(turn.state) !== undefined)
    return turn.timer('question', turn.at + Math.max(policy.question_deadline_ms, 1));
  const kind = openQuestion(turn.state)?.question.kind ?? '';
  const rescue = policy.rescue_at_deadline > 0 && missions.length === 0 && turn.state.asked.stop === null;
  if (rescue && !ONLY_A_PERSON.has(kind)) {
    return startMission(turn, 'policy: rescue_at_deadline', {
      category: null,
      rootCause: null,
      evidence: [],
      injection:
        'Nobody answered the open question. Choose the smallest safe reading of the task, state the assumption in ' +
        'the work, and finish what does not depend on it.',
      filesAdded: [],
      specChanges: [],
    });
  }
  end(turn, 'abandoned', 'nobody answered the question by its deadline');
}

function timedOut(turn: Turn): void {
  const { life, policy }: RunState = turn.state;
  if (life.type !== 'working') return;
  const limit = minutes(policy.timeout_ms);
  incidentFor(turn, 'timeout', life.attempt, turn.at);
  stopFor(turn, life.attempt, `timeout: still running after its limit of ${limit}`, {
    class: 'timeout',
    reason: `attempt ${life.attempt} was still running after its time limit of ${limit}, and was stopped`,
  });
}
