/** `held`, `holdLifted`, `sharedCauseFound`, `clockJumped`: causes that many runs share park a run, uncounted. */
import type { FactOf } from '../vocabulary/events/event.ts';
import { isStopped, openIncident, openQuestion, readyAttempt } from '../state/run-state.ts';
import { lostMs } from '../state/working-time.ts';
import { quoteFenced } from '../text/quote-fenced.ts';
import { ask, failureOf } from './question/ask.ts';
import { setBudgetTimer } from './recovery/hard-budget.ts';
import { optionFor } from '../vocabulary/questions/resolution.ts';
import { escalate } from './recovery/incident.ts';
import { park, planAttempt, startParked } from './plan-attempt.ts';
import type { Turn } from './turn.ts';

export function held(turn: Turn, { attempt }: FactOf<'held'>): void {
  const { life } = turn.state;
  if (isStopped(turn.state)) return;
  if (life.type === 'waiting' && life.for === 'person' && openQuestion(turn.state) === undefined) {
    turn.cancel('question');
    return planAttempt(turn, openIncident(turn.state)?.recoveries.at(-1) ?? null, null);
  }
  // The start of the attempt was not carried out. A run that already waits also keeps waiting for its own reason.
  if (attempt !== null || readyAttempt(turn.state) !== undefined) park(turn);
}

export function holdLifted(turn: Turn, { why }: FactOf<'hold_lifted'>): void {
  const parked = readyAttempt(turn.state);
  if (parked !== undefined) return startParked(turn, parked, why);
  // The pause only guessed when the network would be back. Now it was observed to be back.
  const { life } = turn.state;
  const incident = openIncident(turn.state);
  if (life.type === 'waiting' && life.for === 'host' && incident?.class === 'network_failure')
    planAttempt(turn, incident.recoveries.at(-1) ?? null, null);
}

/** Several runs fail alike. Restarting them one by one would only repeat the failure. */
export function sharedCauseFound(turn: Turn, { runs, cause, asker }: FactOf<'shared_cause_found'>): void {
  const incident = openIncident(turn.state);
  if (openQuestion(turn.state) !== undefined) return;
  turn.cancel('retry');
  // A single run here tried first for all the others, or asks in the place of one that has ended.
  const alone =
    asker === undefined
      ? 'tried first and failed alike again'
      : `failed like run ${asker}, which asked and has ended`;
  const who =
    runs.length === 1
      ? `Run ${runs[0]} ${alone}`
      : `${runs.length} runs (${runs.slice(0, 5).join(', ')}) fail alike`;
  if (incident !== undefined) {
    const why = `${who}: a shared cause, nothing more is restarted`;
    escalate(turn, incident, incident.diagnosis?.returnTo ?? null, why);
  }
  ask(turn, {
    kind: 'shared_cause',
    text: `${who}: ${quoteFenced(cause, turn.mark)}. All that would repeat it are held. Is the cause mended?`,
    whyNow: 'a shared cause is not mended by restarts; none is spent',
    options: [
      {
        id: 'retry',
        label: 'it is mended: try with this run first',
        effect: 'this run goes first; when it is well, the others follow one after the other',
      },
      optionFor('abandon'),
    ],
    ...(incident === undefined ? {} : { failure: failureOf(incident) }),
  });
}

/** Time during which the machine slept must not use up the limits of the attempt. */
export function clockJumped(turn: Turn, jump: FactOf<'clock_jumped'>): void {
  const { life, policy, attempts } = turn.state;
  const attempt = attempts.at(-1);
  const seconds = Math.round(lostMs([jump]) / 1000);
  turn.decide({
    type: 'noted',
    text: `the machine slept or its clock moved by ${seconds} s; nothing is counted`,
  });
  // All sleeps of the attempt count, so a further one neither forgets the earlier ones nor restarts the whole limit.
  if (life.type !== 'working' || !attempt?.startedAt) return;
  turn.timer('timeout', attempt.startedAt + lostMs(attempt.clockJumps) + policy.timeout_ms);
  setBudgetTimer(turn);
}
