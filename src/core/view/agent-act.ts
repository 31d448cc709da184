/** `AgentAct`, `actOf`, `actSentence`, `agentWords`, `agentNote`, `moneyNote`: the last act of a working agent, and who it is. */
import { counted } from '../text/counted.ts';
import { minutes } from '../text/minutes.ts';
import { oneLine } from '../text/quote-fenced.ts';
import type { Activity } from './activity.ts';

export interface AgentAct {
  readonly attempt: number;
  /** When the agent was last heard of. */
  readonly at: number;
  readonly did: string;
  /** What its last tests said; empty: nothing. */
  readonly tested: string;
  /** How many calls have no result yet. */
  readonly calls: number;
  /** So long may it be silent now. */
  readonly limit_ms: number;
}

/** How long a working agent may be silent, by what it does: a turn of its model, a program that speaks no protocol, a tool. */
export interface SilenceLimits {
  readonly turn: number;
  readonly program: number;
  readonly tool: number;
}

/** Shorter pauses are the rhythm of every agent. */
const PAUSE_MS = 20_000;
const MAX_WORDS = 120;

export function actOf(
  activity: Activity,
  attempt: number,
  limit: SilenceLimits,
  speaksTurns: boolean,
): AgentAct {
  const { calls, did, tested, heardAt } = activity;
  const limit_ms = calls.length > 0 ? limit.tool : speaksTurns ? limit.turn : limit.program;
  const words = oneLine(calls.at(-1)?.words ?? did);
  return {
    attempt,
    at: heardAt,
    did: words.length > MAX_WORDS ? `${words.slice(0, MAX_WORDS)}…` : words,
    tested,
    calls: calls.length,
    limit_ms,
  };
}

export function actSentence(act: Omit<AgentAct, 'limit_ms' | 'attempt'>, now: number): string {
  return [actWords(act, now), act.tested === '' ? '' : `at the last run ${act.tested}`]
    .filter(Boolean)
    .join('; ');
}

function actWords({ at, did, calls }: Omit<AgentAct, 'limit_ms' | 'attempt'>, now: number): string {
  const age = minutes(Math.max(0, now - at));
  const what = did === '' ? 'its start' : did;
  if (calls > 1) return `${counted(calls, 'call')} at once for ${age}, the last: ${what}`;
  if (calls === 1) return `${what} has been running for ${age}`;
  return now - at < PAUSE_MS ? `${what}, ${age} ago` : `silent for ${age}; before that: ${what}`;
}

/** The agent of drills and demos. */
const REHEARSAL = 'rehearsal';

export function agentWords(agent: string): string {
  return agent === REHEARSAL ? 'rehearsal (a script, no model)' : agent;
}

/** Empty: every agent is what its name says. */
export function agentNote(agents: readonly string[]): string {
  return agents.includes(REHEARSAL) ? 'rehearsal: scripts play these agents, no model is asked' : '';
}

/** What a script says that it used is not paid. Empty: a model may be paid for it. */
export function moneyNote(agents: readonly string[]): string {
  return agents.length > 0 && agents.every((agent) => agent === REHEARSAL) ? 'played' : '';
}
