/** `evolvePerson`: folds what people are asked, what they answer, and the holds of the run. */
import type { RunEvent } from '../vocabulary/events/event.ts';
import { evolveChanges } from './evolve-changes.ts';
import { foldAnswer } from './journal-v1/fold-answer.ts';
import { NOTHING_ASKED, openQuestion, type RunState } from './run-state.ts';

export function evolvePerson(before: RunState, event: RunEvent): RunState {
  const state =
    'nonce' in event && event.nonce !== undefined
      ? { ...before, nonces: [...before.nonces, event.nonce] }
      : before;
  switch (event.type) {
    case 'held':
      return { ...state, holds: [...without(state, event.hold.key), event.hold] };
    case 'hold_lifted':
      return {
        ...state,
        holds: without(state, event.key),
        loginLiftedAt: state.holds.some(({ key, kind }) => key === event.key && kind === 'login')
          ? event.at
          : state.loginLiftedAt,
      };
    case 'question_asked': {
      const { question, incident } = event;
      return { ...state, questions: [...state.questions, { question, incident, answer: null }] };
    }
    case 'question_answered':
      return answered(state, event);
    case 'answer_applied':
      return evolveChanges(state, event.changes);
    case 'forgery_refused': {
      const { what, named, why, at } = event;
      return { ...state, forgeries: [...state.forgeries, { what, named, why, at }] };
    }
    case 'stop_requested':
      return { ...state, asked: { ...state.asked, stop: { by: event.by, reason: event.reason } } };
    // A person's "go on" overrules every hold.
    case 'resume_requested':
    case 'mission_started':
    case 'rescue_requested':
      return { ...state, asked: NOTHING_ASKED, holds: [], holdsOverruledAt: event.at, forgivenAt: event.at };
    case 'accept_requested':
      return { ...state, delivery: { ...state.delivery, accepted: { by: event.by, note: event.note } } };
    case 'abandon_requested':
      return { ...state, asked: { ...state.asked, abandon: { by: event.by, reason: event.reason } } };
    default:
      return state;
  }
}

function answered(state: RunState, event: Extract<RunEvent, { type: 'question_answered' }>): RunState {
  const { option, note, by, at, proof } = event;
  const answer = { option, note, by, at, ...(proof === undefined ? {} : { proof }) };
  const open = openQuestion(state);
  const asked = open?.question.id === event.question ? open.question : undefined;
  const questions = state.questions.map((one) => (one.question === asked ? { ...one, answer } : one));
  const delivery = { ...state.delivery, tries: 0 };
  const then = { ...state, questions, delivery, asked: NOTHING_ASKED, forgivenAt: at };
  return event.version === 1
    ? { ...then, ...foldAnswer(then, { asked, option, note, by, at, seq: state.seq }) }
    : then;
}

function without({ holds }: RunState, lifted: string): RunState['holds'] {
  return holds.filter(({ key }) => key !== lifted);
}
