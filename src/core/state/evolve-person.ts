/** The people's part of the fold: what they are asked, what they say, and what holds the run until then. */
import type { RunEvent } from '../vocabulary/event.ts';
import { evolveChanges } from './evolve-changes.ts';
import { foldAnswer } from './journal-v1/fold-answer.ts';
import { DISK_QUESTION } from '../vocabulary/question.ts';
import type { RunState } from './run-state.ts';
import type { Life } from '../vocabulary/life.ts';

export function evolvePerson(before: RunState, event: RunEvent): RunState {
  const state =
    'nonce' in event && event.nonce !== undefined
      ? { ...before, nonces: [...before.nonces, event.nonce] }
      : before;
  switch (event.type) {
    case 'held': {
      const holds = [...state.holds.filter(({ key }) => key !== event.hold.key), event.hold];
      // Somebody asks the same already: one question for all.
      const doubled = state.questions.some(
        ({ state: open, question }) => open === 'open' && question.kind === event.hold.kind,
      );
      return doubled ? withdraw({ ...state, holds }) : { ...state, holds };
    }
    case 'hold_lifted': {
      const isDisk = state.holds.some(({ key, kind }) => key === event.key && kind === 'disk');
      const lifted = { ...state, holds: state.holds.filter(({ key }) => key !== event.key) };
      return isDisk ? withdraw(lifted, DISK_QUESTION) : lifted;
    }
    case 'question_asked': {
      const { question, incident } = event;
      const life: Life = {
        type: 'waiting',
        for: 'person',
        until: question.deadlineAt,
        reason: question.kind,
      };
      const asked = { question, incident, state: 'open' as const, answer: null };
      return { ...state, life, questions: [...state.questions, asked] };
    }
    case 'question_answered':
      return answered(state, event);
    case 'answer_applied':
      return evolveChanges(state, event.changes);
    case 'forgery_refused': {
      const { what, named, why, at } = event;
      return { ...state, forgeries: [...state.forgeries, { what, named, why, at }] };
    }
    case 'flag_raised':
      return { ...state, flagged: { by: event.by, reason: event.reason, at: event.at } };
    case 'stop_requested':
      return withdraw({ ...state, stopAsked: { by: event.by, reason: event.reason } }, DISK_QUESTION);
    // A person's "go on" is stronger than any hold.
    case 'resume_requested':
    case 'mission_started':
    case 'rescue_requested':
      return withdraw({
        ...state,
        stopAsked: null,
        abandonAsked: null,
        holds: [],
        holdsOverruledAt: event.at,
        forgivenAt: event.at,
      });
    case 'accept_requested':
      return withdraw({ ...state, accepted: { by: event.by, note: event.note } });
    case 'abandon_requested':
      return withdraw({ ...state, abandonAsked: { by: event.by, reason: event.reason } });
    default:
      return state;
  }
}

function answered(state: RunState, event: Extract<RunEvent, { type: 'question_answered' }>): RunState {
  const { option, note, by, at, proof } = event;
  const answer = { option, note, by, at, ...(proof === undefined ? {} : { proof }) };
  const asked = state.questions.find(
    ({ question, state: open }) => question.id === event.question && open === 'open',
  )?.question;
  const questions = state.questions.map((one) =>
    one.question === asked ? { ...one, state: 'answered' as const, answer } : one,
  );
  const then = { ...state, questions, deliveryTries: 0, forgivenAt: at, stopAsked: null, abandonAsked: null };
  return event.version === 1
    ? { ...then, ...foldAnswer(state, { asked, option, note, by, at, seq: state.seq }) }
    : then;
}

/** Nobody needs the answer any more; `only`: takes back no other kind of question. */
export function withdraw(state: RunState, only: string | null = null): RunState {
  const questions = state.questions.map((asked) =>
    asked.state === 'open' && (only === null || asked.question.kind === only)
      ? { ...asked, state: 'withdrawn' as const }
      : asked,
  );
  return { ...state, questions };
}
