/** `lifeAfter`: what the run does or waits for after an event. Each life is made anew; only waits keep question and command. */
import type { RunEvent } from '../vocabulary/events/event.ts';
import type { Life, Waiting } from '../vocabulary/life.ts';
import { DISK_QUESTION } from '../vocabulary/questions/question.ts';
import { openQuestion, type RunState } from './run-state.ts';

export function lifeAfter(state: RunState, event: RunEvent): Life {
  const { life } = state;
  switch (event.type) {
    case 'work_begun':
      return { type: 'preparing' };
    case 'attempt_planned':
    case 'attempt_released':
      return { type: 'working', attempt: event.attempt };
    case 'stop_decided':
      return { type: 'stopping', attempt: event.attempt, why: event.why, by: event.by };
    case 'attempt_ended':
      return { type: 'examining', attempt: event.attempt };
    case 'gate_asked':
      return { type: 'checking', tree: event.tree };
    case 'delivery_decided': {
      const { tree, unverified, salvage } = event;
      return { type: 'delivering', tree, unverified, salvage, decidedAt: firstDecidedAt(state, event) };
    }
    case 'command_failed': {
      const { command } = event;
      return wait(life, { for: 'person', until: null, reason: command, failed: { command, life } });
    }
    case 'command_retried':
      return event.life;
    case 'question_asked': {
      const { id, kind, deadlineAt } = event.question;
      return wait(life, { for: 'person', until: deadlineAt, reason: kind, question: id });
    }
    case 'waiting':
      return wait(life, { for: event.for, until: event.until, reason: event.reason });
    case 'stopped': {
      const stopped = { question: event.question };
      return wait(life, { for: 'person', until: null, reason: event.reason, question: null, stopped });
    }
    case 'ended':
      return {
        type: 'ended',
        state: event.state,
        reason: event.reason,
        at: event.at,
        released: false,
        removed: false,
      };
    case 'released':
      return life.type === 'ended' ? { ...life, released: true } : life;
    case 'run_removed':
      return life.type === 'ended' ? { ...life, removed: true } : life;
    case 'question_answered':
      return withdrawn(state, ({ id }) => id === event.question);
    case 'resume_requested':
    case 'mission_started':
    case 'rescue_requested':
    case 'accept_requested':
    case 'abandon_requested':
      return withdrawn(state, () => true);
    case 'stop_requested':
      return withdrawn(state, ({ kind }) => kind === DISK_QUESTION);
    // Another run already asks the same, and one question is enough for all.
    case 'held':
      return withdrawn(state, ({ kind }) => kind === event.hold.kind);
    case 'hold_lifted': {
      const isDisk = state.holds.some(({ key, kind }) => key === event.key && kind === 'disk');
      return withdrawn(state, ({ kind }) => isDisk && kind === DISK_QUESTION);
    }
    default:
      return life;
  }
}

function wait(before: Life, next: Pick<Waiting, 'for' | 'until' | 'reason'> & Partial<Waiting>): Waiting {
  const { question = null, failed = null } = before.type === 'waiting' ? before : {};
  return { type: 'waiting', question, failed, ...next };
}

/** The run still waits, but no longer for an answer to such a question. */
function withdrawn(state: RunState, isMeant: (question: { id: string; kind: string }) => boolean): Life {
  const { life } = state;
  const open = openQuestion(state)?.question;
  return life.type === 'waiting' && open !== undefined && isMeant(open) ? { ...life, question: null } : life;
}

/** When this delivery was first decided. Trying the same tree again is the same delivery. */
export function firstDecidedAt(
  { life, delivery: { passed } }: RunState,
  { tree, at }: Extract<RunEvent, { type: 'delivery_decided' }>,
): number {
  if (passed?.tree === tree) return passed.decidedAt;
  const before = life.type === 'waiting' ? life.failed?.life : undefined;
  return before?.type === 'delivering' && before.tree === tree ? (before.decidedAt ?? at) : at;
}
