/**
 * `planAttempt`, `startParked`: start the next attempt. The decision with its brief is on disk before the command is carried out. Every
 * new process is planned here, so this file refuses what must never happen: a second live process, a start after a person's stop, a start
 * during a hold.
 */
import { renderBrief } from '../view/brief/render-brief.ts';
import type { AgentChoice, Recovery } from '../vocabulary/events/event.ts';
import type { HoldKind } from '../vocabulary/hold.ts';
import { injectedWords } from '../vocabulary/mission.ts';
import { DISK_QUESTION } from '../vocabulary/questions/question.ts';
import {
  currentAttempt,
  liveAttempt,
  openIncident,
  openQuestion,
  parkedAttempt,
  type Attempt,
  type RunState,
} from '../state/run-state.ts';
import { askAboutFlag } from './on-flag.ts';
import { ask } from './question/ask.ts';
import { missionToInject } from './close-mission.ts';
import { optionFor } from '../vocabulary/questions/resolution.ts';
import { stopAgain } from './stop-attempt.ts';
import { stopped } from './stopped.ts';
import type { Turn } from './turn.ts';

export function planAttempt(turn: Turn, recovery: Recovery | null, note: string | null): void {
  if (liveAttempt(turn.state) !== undefined)
    return stopAgain(turn, 'a new attempt must not meet the old one');
  if (turn.state.asked.stop !== null) return stopped(turn);
  if (turn.state.asked.flag !== undefined) return askAboutFlag(turn, turn.state.asked.flag);
  const unsaved = currentAttempt(turn.state);
  if (unsaved !== undefined && unsaved.endedAt !== null && unsaved.examination === null)
    return examineAgain(turn, unsaved.number);
  const parked = parkedAttempt(turn.state);
  const previous = parked === undefined ? currentAttempt(turn.state) : turn.state.attempts.at(-2);
  const agent: AgentChoice = recovery?.agent ?? parked?.agent ?? previous?.agent ?? turn.state.agent;
  const session = previous !== undefined && previous.agent.name === agent.name ? previous.agentSession : null;
  const resume = recovery?.freshSession ? null : session;
  const attempt = parked?.number ?? turn.state.attempts.length + 1;
  const { lessons } = turn.state;
  const brief = renderBrief(turn.state, {
    hint: exploreHint(turn.state, wordsFor(turn.state, note) ?? recovery?.hint ?? null),
    at: turn.at,
    mark: turn.mark,
    isResumed: resume !== null,
    agent: agent.name,
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
  if (turn.state.holds.length > 0) return park(turn);
  const isRefused =
    session !== null && resume === null && openIncident(turn.state)?.class === 'session_corrupt';
  turn.command({
    type: 'start_attempt',
    attempt,
    agent,
    resume,
    brief,
    ...(isRefused ? { mend: session } : {}),
  });
}

/** Saves and examines once more what the last attempt left, before another attempt changes it. */
export function examineAgain(turn: Turn, attempt: number): void {
  const life = { type: 'examining' as const, attempt };
  turn.decide({ type: 'command_retried', command: 'examine_attempt', life });
  turn.command({ type: 'examine_attempt', attempt, cause: null });
}

/** A mission that waits to be injected reaches the next agent, whichever path led to its start. */
function wordsFor(state: RunState, note: string | null): string | null {
  const plan = missionToInject(state)?.plan;
  const injection = plan === undefined ? null : injectedWords(plan);
  // The note is the injection itself where the mission starts the attempt.
  if (note === plan?.injection) return injection;
  return note === null || injection === null ? (note ?? injection) : `${note}\n\n${injection}`;
}

/** The attempt is planned, but a hold keeps every run of this account, host or fleet from starting. */
export function park(turn: Turn): void {
  const [hold] = turn.state.holds;
  if (hold === undefined) return;
  askForRoom(turn);
  turn.decide({ type: 'waiting', for: waitsFor(hold.kind), until: hold.until, reason: hold.reason });
}

/**
 * The run that saw the full disk first asks one question for all runs. Meanwhile it keeps waiting for the host: when there is room again,
 * the run goes on without an answer and the question is withdrawn.
 */
function askForRoom(turn: Turn): void {
  const { state } = turn;
  const hold = state.holds.find(({ kind, holder }) => kind === 'disk' && holder === state.runId);
  if (hold === undefined || openQuestion(state) !== undefined) return;
  ask(turn, {
    kind: DISK_QUESTION,
    text:
      `${hold.reason}. No agent is started below ${Math.round(state.policy.disk_free_bytes / 1024 ** 2)} MB (policy disk_free_bytes). ` +
      'Free some space and the run goes on by itself; or start with the room there is?',
    whyNow: 'an agent on a full disk loses its work, and so may the record',
    options: [
      {
        id: 'retry',
        label: 'start with the room there is',
        effect: 'this run starts now; other runs still wait for room',
      },
      optionFor('abandon'),
    ],
    evidence: [],
  });
}

export function startParked(turn: Turn, parked: Attempt, why: string): void {
  if (turn.state.holds.length > 0) return park(turn);
  turn.cancel('retry', 'question');
  turn.decide({ type: 'attempt_released', attempt: parked.number, why });
  turn.command({
    type: 'start_attempt',
    attempt: parked.number,
    agent: parked.agent,
    resume: parked.resumed ? sessionBefore(turn.state, parked) : null,
    brief: parked.brief,
  });
}

function sessionBefore({ attempts }: RunState, parked: Attempt): string | null {
  return attempts.findLast(({ number }) => number < parked.number)?.agentSession ?? null;
}

function waitsFor(kind: HoldKind): 'time' | 'host' {
  return kind === 'limit' || kind === 'fleet' || kind === 'overload' ? 'time' : 'host';
}

const PROPOSAL = [
  '"scope": ["globs of what must change"]',
  '"checks": ["commands that would prove it"]',
  '"decisions": [{"question": "...", "options": ["..."]}]',
  '"summary": "..."',
];
const EXPLORE = `Do not change any file yet. Look at the repository and find out what this task needs, then write JSON
{${PROPOSAL.join(', ')}}
to the file in $MAYDAY_PROPOSAL and stop. A person confirms it before the work begins.`;

function exploreHint({ explore }: RunState, hint: string | null): string | null {
  if (explore !== 'looking') return hint;
  return hint === null ? EXPLORE : `${EXPLORE}\n${hint}`;
}
