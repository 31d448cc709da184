/** The words of every resolution: what it means and what it does. */
import type { Resolution } from '../vocabulary/blocker.ts';
import type { OptionWords } from '../gates/blocker-question.ts';
import type { QuestionOption } from '../vocabulary/question.ts';

const EFFECTS: Readonly<Record<Resolution, OptionWords>> = {
  expand_scope: ['expand the scope to include it and go on', 'the gate is asked again with the wider scope'],
  revise_work: [
    'do it without that',
    'the agent goes on from the checkpoint and is told so; add your advice with --note',
  ],
  add_verification: [
    'let the agent add a check',
    'the agent goes on from the checkpoint to add verification',
  ],
  answer_question: ['answer and go on', 'your note reaches the agent word for word'],
  record_judgment: ['record your judgment', 'it is recorded as yours and the gate is asked again'],
  waive_with_reason: ['deliver it as it is', 'recorded as your waiver, with your reason, then delivered'],
  fix_sink: ['I fixed the sink: deliver again', 'delivery is tried again with the same work'],
  rebase: ['rebase onto the current target', 'the agent goes on from the checkpoint to rebase'],
  choose_patch_output: ['write a patch file instead', 'the same work is written as a patch file'],
  split_work: [
    'deliver only what is inside the scope',
    'what is outside is left out and stays in the checkpoint',
  ],
  retry: [
    'try again from the checkpoint',
    'a new attempt with a fresh restart budget; add your advice with --note',
  ],
  abandon: ['stop and keep the work', 'the run ends; the work stays on a branch of its own'],
};

/** Without words these would be Mayday's word and not the person's. */
const NEEDS_NOTE: ReadonlySet<Resolution> = new Set([
  'answer_question',
  'record_judgment',
  'waive_with_reason',
]);

export function optionFor(id: Resolution): QuestionOption {
  return ownWords(id, EFFECTS[id]);
}

/** The option as this question puts it; `needsNote` where it differs from what the option always needs. */
export function ownWords(
  id: Resolution,
  [label, effect, needsNote = NEEDS_NOTE.has(id)]: OptionWords,
): QuestionOption {
  return { id, label, effect, ...(needsNote ? { needsNote } : {}) };
}
