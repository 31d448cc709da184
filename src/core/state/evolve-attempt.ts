/** `evolveAttempt`: folds an event into the attempts. */
import { movedAfter } from './moved-spans.ts';
import type { RunEvent } from '../vocabulary/events/event.ts';
import { type Attempt, liveAttempt, type RunState } from './run-state.ts';
import type { Usage } from '../vocabulary/transcript.ts';
import { greatest } from './usage.ts';

export function evolveAttempt(state: RunState, event: RunEvent): RunState {
  switch (event.type) {
    case 'attempt_planned': {
      const attempt: Attempt = {
        number: event.attempt,
        agent: event.agent,
        incident: event.incident,
        resumed: event.resume,
        counted: event.counted,
        plannedAt: event.at,
        brief: event.brief,
        lessons: event.lessons ?? [],
        startedAt: null,
        endedAt: null,
        clockJumps: [],
        heardAt: null,
        exitCode: null,
        signal: null,
        endedBy: null,
        stoppedFor: null,
        outOfMemory: false,
        exitedAt: null,
        agentVersion: null,
        agentSession: null,
        level: null,
        homeHidden: false,
        homeShown: null,
        asRoot: false,
        handle: null,
        flagged: null,
        signals: [],
        takesNudges: false,
        nudge: null,
        told: [],
        usage: null,
        progressAt: null,
        moved: [],
        examination: null,
      };
      // A parked attempt that is planned again replaces the old plan, which never had a process.
      const others = state.attempts.filter(({ number }) => number !== event.attempt);
      return { ...state, attempts: [...others, attempt] };
    }
    case 'attempt_started': {
      const { agentVersion, agentSession, level, handle, at } = event;
      const { homeHidden = false, homeShown = null, asRoot = false } = event;
      const closed = event.homeClosed === undefined ? {} : { homeClosed: event.homeClosed };
      const takesNudges = event.takesNudges === true;
      const shared = event.cachesShared === undefined ? {} : { cachesShared: event.cachesShared };
      const scoped = event.scoped === undefined ? {} : { scoped: event.scoped };
      const doors = event.doors === undefined ? {} : { doors: event.doors };
      const held = {
        level,
        handle,
        homeHidden,
        homeShown,
        asRoot,
        takesNudges,
        ...closed,
        ...shared,
        ...scoped,
        ...doors,
      };
      const resumed = event.damage === undefined ? {} : { resumed: event.damage.isKept };
      return change(state, event.attempt, { startedAt: at, agentVersion, agentSession, ...held, ...resumed });
    }
    case 'flag_raised': {
      const { by, reason, at } = event;
      const flag = { by, reason, at };
      const { type } = state.life;
      return type === 'working' || type === 'examining'
        ? change(state, state.attempts.length, { flagged: flag })
        : { ...state, asked: { ...state.asked, flag } };
    }
    case 'agent_declared_gone':
      return change(state, event.attempt, { declaredGone: { by: event.by, at: event.at } });
    case 'stop_decided':
      return event.cause === undefined ? state : change(state, event.attempt, { stoppedFor: event.cause });
    case 'attempt_ended': {
      const { exitCode, signal, endedBy, outOfMemory, exitedAt } = event.exit;
      return change(state, event.attempt, {
        endedAt: event.at,
        exitCode,
        signal,
        endedBy,
        outOfMemory,
        exitedAt,
      });
    }
    case 'attempt_examined': {
      const session = event.examination.agentSession;
      return change(state, event.attempt, {
        examination: event.examination,
        ...(session === null ? {} : { agentSession: session }),
      });
    }
    case 'signal_raised': {
      const signals = state.attempts.find(({ number }) => number === event.attempt)?.signals ?? [];
      return change(state, event.attempt, { signals: [...signals, event.signal] });
    }
    case 'nudge_decided': {
      const { signal, text, at } = event;
      return change(state, event.attempt, { nudge: { signal, text, decidedAt: at, heardAt: null } });
    }
    case 'nudge_heard': {
      const nudge = state.attempts.find(({ number }) => number === event.attempt)?.nudge ?? null;
      return nudge === null
        ? state
        : change(state, event.attempt, { nudge: { ...nudge, heardAt: event.at } });
    }
    case 'usage_reported':
      return change(state, event.attempt, { usage: greatest(usageOf(state, event.attempt), event.usage) });
    case 'clock_jumped': {
      const live = liveAttempt(state);
      const { sleptMs, jumpedMs } = event;
      return live === undefined
        ? state
        : change(state, live.number, { clockJumps: [...live.clockJumps, { sleptMs, jumpedMs }] });
    }
    case 'taken_over': {
      const live = liveAttempt(state);
      return live === undefined ? state : change(state, live.number, { heardAt: state.updatedAt });
    }
    case 'agent_told': {
      const { kind, text, line } = event;
      const told = state.attempts.find(({ number }) => number === event.attempt)?.told ?? [];
      return change(state, event.attempt, { told: [...told, { kind, text, line }] });
    }
    case 'progress_observed':
      return change(state, event.attempt, {
        progressAt: event.at,
        moved: movedAfter(
          state.attempts.find(({ number }) => number === event.attempt)?.moved ?? [],
          event.at,
          state.policy.snapshot_every_ms,
        ),
      });
    default:
      return state;
  }
}

function change(state: RunState, number: number, fields: Partial<Attempt>): RunState {
  return {
    ...state,
    attempts: state.attempts.map((attempt) =>
      attempt.number === number ? { ...attempt, ...fields } : attempt,
    ),
  };
}

function usageOf(state: RunState, attempt: number): Usage | null {
  return state.attempts.find(({ number }) => number === attempt)?.usage ?? null;
}
