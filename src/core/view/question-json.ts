/** `questionJson`: a question as documents show it. Keys are promised: add, never rename. */
import { openQuestion, type AskedQuestion, type RunState } from '../state/run-state.ts';
import { recommendedOf } from '../vocabulary/questions/recommended.ts';
import { iso } from './mission-json.ts';

export function questionJson(run: RunState, asked: AskedQuestion) {
  const { question, answer } = asked;
  const state = asked === openQuestion(run) ? 'open' : answer === null ? 'withdrawn' : 'answered';
  return {
    id: question.id,
    kind: question.kind,
    text: question.text,
    why_now: question.whyNow,
    tried: question.tried,
    evidence: question.evidence,
    options: question.options.map(({ id, label, effect, needsNote }) => ({
      id,
      label,
      effect,
      needs_note: needsNote === true,
    })),
    recommended: recommendedOf(question),
    asked_at: iso(question.askedAt),
    deadline: iso(question.deadlineAt),
    state,
    answer: answer === null ? null : { ...answer, at: iso(answer.at) },
  };
}
