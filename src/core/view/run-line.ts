/**
 * `lineWord`, `whyLine`, `workingNote`, `lastProgressAt`, `lastChangeAt`, `movedSpans`, `limitsAhead`, `silenceLimits`, `costPerHour`: what
 * a list says of a run: the word that tells whether it needs a person, one sentence why it stands where it stands, when it moved, and
 * which limit comes next. Every door shows these words and makes none of its own.
 */
import { bindingHold } from '../vocabulary/hold.ts';
import { policyFor } from '../vocabulary/agent-limits.ts';
import { whoIs } from '../vocabulary/who-is.ts';
import { adapterName } from '../vocabulary/run-options.ts';
import type { SilenceLimits } from './agent-act.ts';
import { counted } from '../text/counted.ts';
import { minutes } from '../text/minutes.ts';
import {
  type Attempt,
  isStopped,
  liveAttempt,
  openIncident,
  openQuestion,
  type RunState,
} from '../state/run-state.ts';
import type { MovedSpan } from '../state/moved-spans.ts';
import { lastCheckpoint } from '../state/last-tree.ts';
import { totalUsage } from '../state/usage.ts';
import { lostMs, workedMs } from '../state/working-time.ts';
import { firstSentence } from '../text/first-line.ts';
import { oneLine, readableQuotes } from '../text/quote-fenced.ts';
import { isProven, notProven } from '../gates/delivery-proof.ts';
import { deliveredTo } from './delivered-work.ts';
import { type LineWord, stateWord } from './state-word.ts';
import { ownPauseUntil, pauseBefore, whyHeld } from './held-words.ts';
import { waitSpans } from './wait-spans.ts';

export function lineWord(state: RunState): LineWord {
  if (openQuestion(state) !== undefined) return 'needs_you';
  if (isStopped(state)) return 'stopped';
  if (state.life.type === 'preparing') return 'preparing';
  const word = stateWord(state);
  if (word === 'unverified' || (word === 'delivered' && !isProven(state))) return 'not_proven';
  return word === 'working' && openIncident(state) !== undefined ? 'rescuing' : word;
}

/** No time of day: each viewer has a zone of their own, and `limitsAhead` has the times. */
export function whyLine(state: RunState): string {
  return oneLine(readableQuotes(reasonOf(state)));
}

function reasonOf(state: RunState): string {
  const { life } = state;
  const asked = openQuestion(state)?.question;
  if (asked !== undefined) return sentences(firstSentence(asked.text), safeAt(state));
  switch (life.type) {
    case 'queued':
      return 'waits for a worker to take it';
    case 'preparing':
      return state.workspace === null || state.task.checks.length === 0
        ? 'the workspace is being prepared'
        : `Mayday runs the checks once before the work begins: ${state.task.checks.join(', ')}`;
    case 'working':
      return whyWorking(state);
    case 'stopping':
      return `the agent is being stopped: ${life.why}`;
    case 'examining':
      return `attempt ${life.attempt} has ended; Mayday looks at what it left behind`;
    case 'checking':
      return `Mayday runs the checks: ${state.task.checks.join(', ') || 'there is nothing to check with'}`;
    case 'delivering':
      return 'the work passed every gate and is being delivered';
    case 'waiting':
      return sentences(whyHeld(state) ?? pauseBefore(state) ?? firstSentence(life.reason), safeAt(state));
    case 'ended':
      return life.state === 'abandoned' ? firstSentence(life.reason) : whyDone(state);
  }
}

function whyWorking(state: RunState): string {
  const attempt = state.attempts.at(-1);
  if (attempt === undefined) return 'the first attempt is planned';
  return (
    troubleOf(state, attempt) ??
    joined([`${attempt.agent.name} works on attempt ${attempt.number}`, historyOf(state)])
  );
}

/** What is notable about an agent that works, for a list that tells beside it what the agent does; empty: nothing. */
export function workingNote(state: RunState): string {
  const attempt = state.life.type === 'working' ? state.attempts.at(-1) : undefined;
  return attempt === undefined ? '' : oneLine(readableQuotes(troubleOf(state, attempt) ?? historyOf(state)));
}

/** Null: nothing is wrong now. */
function troubleOf(state: RunState, attempt: Attempt): string | null {
  const warning = attempt.signals.findLast(({ at }) => at > (attempt.progressAt ?? 0));
  const incident = openIncident(state);
  const trouble = incident === undefined ? '' : `${incident.class.replaceAll('_', ' ')}: `;
  if (warning !== undefined) return `${trouble}${warning.reason}`;
  const recovery = incident?.recoveries.at(-1);
  if (recovery === undefined) return null;
  // Nothing else ends a rescue that neither repeats itself nor falls silent.
  const within = minutes(state.policy.timeout_ms);
  return `${trouble}${recovery.reason}; attempt ${attempt.number} has to show progress, within ${within} at most`;
}

function historyOf(state: RunState): string {
  return joined([state.stage === 'explore' ? 'exploring the task first' : '', rescuedWords(state)]);
}

/** Null before the first progress: the beginning of a run is none. */
export function lastProgressAt({ attempts, stage, progressAt }: RunState): number | null {
  const isBeyondBuild = stage !== 'explore' && stage !== 'build';
  return isBeyondBuild || attempts.some((attempt) => attempt.progressAt !== null) ? progressAt : null;
}

/** When a file of the workspace was last seen to have changed, whether or not that was progress. */
export function lastChangeAt(state: RunState): number | null {
  return state.attempts.flatMap((attempt) => movedSpans(state, attempt)).at(-1)?.to ?? null;
}

function whyDone(state: RunState): string {
  const files = state.delivered?.files.length ?? 0;
  return joined([
    deliveredTo(state),
    state.delivered === null ? '' : counted(files, 'file'),
    isProven(state) ? `${state.task.checks.join(', ')} passed` : `not proven: ${notProven(state).join('; ')}`,
    rescuedWords(state),
  ]);
}

function rescuedWords({ incidents }: RunState): string {
  if (incidents.length === 0) return '';
  const rescued = incidents.filter(({ outcome }) => outcome === 'resolved').length;
  return rescued === incidents.length
    ? counted(rescued, 'rescue')
    : `${counted(incidents.length, 'incident')}, ${rescued} rescued`;
}

function safeAt(state: RunState): string {
  const checkpoint = lastCheckpoint(state);
  return checkpoint === undefined ? '' : `The work is safe at checkpoint ${checkpoint.number}.`;
}

export type LimitAhead =
  /** At `until` the run goes on by itself, or the attempt is stopped; `not_before`: a person's answer is awaited as well. */
  | {
      readonly kind: 'goes_on' | 'not_before' | 'attempt_time';
      readonly from: number;
      readonly until: number;
    }
  | {
      readonly kind: 'working_time' | 'cost_usd' | 'tokens' | 'turns';
      readonly used: number;
      readonly of: number;
    };

export function limitsAhead(state: RunState): readonly LimitAhead[] {
  const { life, budget, policy, updatedAt } = state;
  if (life.type === 'ended') return [];
  const { tokens, costUsd, turns } = totalUsage(state);
  const live = liveAttempt(state);
  const limits: LimitAhead[] = [];
  const hold = bindingHold(state.holds);
  const isHeldForGood = hold !== undefined && hold.until === null;
  const from = waitSpans(state).at(-1)?.from ?? updatedAt;
  if (life.type === 'waiting' && life.for !== 'person' && openQuestion(state) === undefined) {
    if (isHeldForGood) {
      const until = Math.max(ownPauseUntil(state) ?? 0, ...state.holds.map((one) => one.until ?? 0));
      if (until > updatedAt) limits.push({ kind: 'not_before', from, until });
    } else if (life.until !== null)
      limits.push({ kind: 'goes_on', from, until: Math.max(life.until, hold?.until ?? 0) });
  }
  if (live !== undefined && live.startedAt !== null) {
    const until = live.startedAt + lostMs(live.clockJumps) + policy.timeout_ms;
    limits.push({ kind: 'attempt_time', from: live.startedAt, until });
  }
  if (budget.wallClockMs !== null)
    limits.push({ kind: 'working_time', used: workedMs(state, updatedAt), of: budget.wallClockMs });
  if (budget.usd !== null) limits.push({ kind: 'cost_usd', used: costUsd, of: budget.usd });
  if (budget.tokens !== null) limits.push({ kind: 'tokens', used: tokens, of: budget.tokens });
  if (budget.turns !== null) limits.push({ kind: 'turns', used: turns, of: budget.turns });
  return limits;
}

/** A rate over less than this says nothing. */
const RATED_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Dollars per hour of its work so far; null if that is not known yet, and while no agent works: nothing burns then. */
export function costPerHour(state: RunState): number | null {
  if (liveAttempt(state) === undefined) return null;
  const worked = workedMs(state, state.updatedAt);
  const { costUsd } = totalUsage(state);
  return costUsd > 0 && worked >= RATED_MS ? (costUsd / worked) * HOUR_MS : null;
}

/** With what only the checkpoint after its end shows: between the last look and the end the work may have moved, too. */
export function movedSpans(state: RunState, attempt: Attempt): readonly MovedSpan[] {
  const { moved, startedAt, endedAt, examination } = attempt;
  const from = startedAt ?? attempt.plannedAt;
  const seen = moved.map((span) => ({ ...span, from: Math.max(span.from, from) }));
  const saved = examination?.checkpoint;
  if (endedAt === null || !saved || saved.state === 'failed') return seen;
  const before = state.checkpoints.findLast((one) => one.number < saved.number && one.state !== 'failed');
  if (saved.tree === (before?.tree ?? state.workspace?.baseTree)) return seen;
  const lastLook = Math.max(seen.at(-1)?.to ?? from, endedAt - state.policy.snapshot_every_ms, from);
  return [...seen, { from: lastLook, to: endedAt }];
}

/** As the watch of the attempt has them; null while no agent works. */
export function silenceLimits(state: RunState): SilenceLimits | null {
  const agent = liveAttempt(state)?.agent;
  if (agent === undefined || state.life.type !== 'working') return null;
  const { policy, options } = state;
  const limits = (general: typeof policy) => policyFor(general, whoIs(agent), options.agentPolicy);
  const { silence_ms: turn, tool_silence_ms: tool } = limits(policy);
  const isProgram = adapterName(agent) === 'command';
  const program = isProgram ? limits({ ...policy, silence_ms: policy.command_silence_ms }).silence_ms : turn;
  return { turn, program, tool };
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

function sentences(first: string, second: string): string {
  if (second === '') return first;
  return `${first}${/[.?!]”?$/.test(first) ? '' : '.'} ${second}`;
}
