/**
 * `lineWord`, `whyLine`, `lastProgressAt`, `limitsAhead`: what a list says of a run: the word that tells whether it needs a person, one
 * sentence why it stands where it stands, and which limit comes next. Every door shows these words and makes none of its own.
 */
import { counted } from '../text/counted.ts';
import { isStopped, liveAttempt, openIncident, openQuestion, type RunState } from '../state/run-state.ts';
import { lastCheckpoint } from '../state/last-tree.ts';
import { totalUsage } from '../state/usage.ts';
import { lostMs, workedMs } from '../state/working-time.ts';
import { oneLine, readableQuotes } from '../text/quote-fenced.ts';
import { deliveredTo } from './delivered-work.ts';
import { type LineWord, stateWord } from './state-word.ts';

export function lineWord(state: RunState): LineWord {
  if (openQuestion(state) !== undefined) return 'needs_you';
  if (isStopped(state)) return 'stopped';
  const word = stateWord(state);
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
      return sentences(pauseBefore(state) ?? firstSentence(life.reason), safeAt(state));
    case 'ended':
      return life.state === 'abandoned' ? firstSentence(life.reason) : whyDone(state);
  }
}

function whyWorking(state: RunState): string {
  const attempt = state.attempts.at(-1);
  if (attempt === undefined) return 'the first attempt is planned';
  const warning = attempt.signals.findLast(({ at }) => at > (attempt.progressAt ?? 0));
  if (warning !== undefined) return warning.reason;
  const incident = openIncident(state);
  const recovery = incident?.recoveries.at(-1);
  if (incident !== undefined && recovery !== undefined)
    return `${recovery.reason}; attempt ${attempt.number} has to show progress`;
  return joined([
    `attempt ${attempt.number} of ${attempt.agent.name}`,
    `stage ${state.stage}`,
    rescuedWords(state),
  ]);
}

/** A pause of the ladder before the next attempt, in words; null if the run waits for anything else. */
export function pauseBefore(state: RunState): string | null {
  const incident = openIncident(state);
  const recovery = incident?.recoveries.at(-1);
  if (state.life.type !== 'waiting' || state.life.reason !== recovery?.reason || recovery.strategy === 'wait')
    return null;
  const cause = incident?.diagnosis?.rootCause;
  return `a pause before attempt ${state.attempts.length + 1}${cause === undefined ? '' : `: ${cause}`}`;
}

/** Null before the first progress: the beginning of a run is none. */
export function lastProgressAt({ attempts, stage, progressAt }: RunState): number | null {
  const isBeyondBuild = stage !== 'explore' && stage !== 'build';
  return isBeyondBuild || attempts.some((attempt) => attempt.progressAt !== null) ? progressAt : null;
}

function whyDone(state: RunState): string {
  const files = state.delivered?.files.length ?? 0;
  const gates = state.checks.filter(({ purpose }) => purpose === 'gate');
  const last = gates.at(-1);
  return joined([
    deliveredTo(state),
    state.delivered === null ? '' : counted(files, 'file'),
    last === undefined ? unchecked(state) : `${last.command} ${last.passed ? 'passed' : 'failed'}`,
    rescuedWords(state),
  ]);
}

function unchecked({ task }: RunState): string {
  return task.checks.length === 0 ? 'nothing to check with' : 'its checks did not run on it';
}

function rescuedWords({ incidents }: RunState): string {
  if (incidents.length === 0) return '';
  const rescued = incidents.filter(({ outcome }) => outcome === 'resolved').length;
  return `${counted(incidents.length, 'incident')}, ${rescued} rescued`;
}

function safeAt(state: RunState): string {
  const checkpoint = lastCheckpoint(state);
  return checkpoint === undefined ? '' : `The work is safe at checkpoint ${checkpoint.number}.`;
}

export type LimitAhead =
  /** The run goes on by itself, or the attempt is stopped, at `until`. */
  | { readonly kind: 'goes_on' | 'attempt_time'; readonly from: number; readonly until: number }
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
  if (life.type === 'waiting' && life.until !== null && openQuestion(state) === undefined)
    limits.push({ kind: 'goes_on', from: state.waits.at(-1)?.from ?? updatedAt, until: life.until });
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

/** The first sentence: a list has one line for each run, and the page of the run has the rest. */
function firstSentence(text: string): string {
  // Marks become quotation marks before anything is cut: a mark without its end is not known as one.
  const [line = ''] = readableQuotes(text).trim().split('\n');
  // A sentence inside a quotation does not end the one that quotes it.
  return /^(?:“[^”]*”|[^“]){12,}?(?<=[.?!]”?)(?=\s|$)/.exec(line)?.[0] ?? line;
}

function joined(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(', ');
}

function sentences(first: string, second: string): string {
  if (second === '') return first;
  return `${first}${/[.?!]$/.test(first) ? '' : '.'} ${second}`;
}
