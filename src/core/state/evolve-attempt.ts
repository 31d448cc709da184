/** `evolveAttempt`: folds an event into the attempts. */
import { movedAfter } from './moved-spans.ts';
import type { RunEvent } from '../vocabulary/events/event.ts';
import { type Attempt, liveAttempt, type RunState } from './run-state.ts';
import { defined } from '../text/defined.ts';
import { greatest } from './usage.ts';

/** What is not known of an attempt before it starts. */
// biome-ignore format: a table
const NOT_STARTED = {
  startedAt: null, endedAt: null, clockJumps: [], heardAt: null, exitCode: null, signal: null, endedBy: null,
  stoppedFor: null, outOfMemory: false, exitedAt: null, agentVersion: null, agentSession: null, level: null,
  homeHidden: false, homeShown: null, asRoot: false, handle: null, flagged: null, signals: [], takesNudges: false,
  nudge: null, told: [], usage: null, progressAt: null, moved: [], examination: null,
};

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
        ...NOT_STARTED,
      };
      // A parked attempt that is planned again replaces the old plan, which never had a process.
      const others = state.attempts.filter(({ number }) => number !== event.attempt);
      return { ...state, attempts: [...others, attempt] };
    }
    case 'attempt_started': {
      const { agentVersion, agentSession, level, handle, at, damage } = event;
      const { homeHidden = false, homeShown = null, asRoot = false, takesNudges = false } = event;
      const { homeClosed, cachesShared, scoped, doors } = event;
      const held = { level, handle, homeHidden, homeShown, asRoot, takesNudges };
      const told = defined({ homeClosed, cachesShared, scoped, doors, resumed: damage?.isKept });
      return change(state, event.attempt, { startedAt: at, agentVersion, agentSession, ...held, ...told });
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
      const exit = { exitCode, signal, endedBy, outOfMemory, exitedAt };
      return change(state, event.attempt, { ...exit, endedAt: event.at });
    }
    case 'attempt_examined': {
      const { examination } = event;
      const agentSession = examination.agentSession ?? undefined;
      return change(state, event.attempt, { examination, ...defined({ agentSession }) });
    }
    case 'signal_raised':
      return change(state, event.attempt, ({ signals }) => ({ signals: [...signals, event.signal] }));
    case 'nudge_decided': {
      const { signal, text, at } = event;
      return change(state, event.attempt, { nudge: { signal, text, decidedAt: at, heardAt: null } });
    }
    case 'nudge_heard':
      return change(state, event.attempt, ({ nudge }) => ({
        nudge: nudge && { ...nudge, heardAt: event.at },
      }));
    case 'usage_reported':
      return change(state, event.attempt, ({ usage }) => ({ usage: greatest(usage, event.usage) }));
    case 'clock_jumped': {
      const { sleptMs, jumpedMs } = event;
      return change(state, liveAttempt(state)?.number, ({ clockJumps }) => ({
        clockJumps: [...clockJumps, { sleptMs, jumpedMs }],
      }));
    }
    case 'taken_over':
      return change(state, liveAttempt(state)?.number, { heardAt: state.updatedAt });
    case 'agent_told': {
      const { kind, text, line } = event;
      return change(state, event.attempt, ({ told }) => ({ told: [...told, { kind, text, line }] }));
    }
    case 'progress_observed':
      return change(state, event.attempt, ({ moved }) => ({
        progressAt: event.at,
        moved: movedAfter(moved, event.at, state.policy.snapshot_every_ms),
      }));
    default:
      return state;
  }
}

function change(
  state: RunState,
  number: number | undefined,
  fields: Partial<Attempt> | ((attempt: Attempt) => Partial<Attempt>),
): RunState {
  const changed = (attempt: Attempt) => (typeof fields === 'function' ? fields(attempt) : fields);
  const attempts = state.attempts.map((one) => (one.number === number ? { ...one, ...changed(one) } : one));
  return { ...state, attempts };
}
