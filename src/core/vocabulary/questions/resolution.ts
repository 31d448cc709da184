/** `Resolution`, `optionFor`, `agentOptions`: the resolutions that every question may offer, in words. */
import type { Consequence } from './consequence.ts';

/** `needsNote`: the option needs a note, because without one the words would be Mayday's and not the person's. */
export type OptionWords = readonly [label: string, effect: string, needsNote?: boolean];

const RESOLUTIONS = {
  expand_scope: ['expand the scope to include it and go on', 'the gate is asked again with the wider scope'],
  revise_work: [
    'do it without that',
    'the agent goes on from the checkpoint and is told so; a note adds your advice',
  ],
  add_verification: [
    'let the agent add a check',
    'the agent goes on from the checkpoint to add verification',
  ],
  answer_question: ['answer and go on', 'your note reaches the agent word for word', true],
  reply: ['reply to the agent', 'your words reach the agent in the same conversation', true],
  rescue: [
    'start a rescue mission',
    'for when you know what the agent lacks: your note tells it; afterwards you are asked what was learned',
    true,
  ],
  record_judgment: ['record your judgment', 'it is recorded as yours and the gate is asked again', true],
  waive_with_reason: [
    'deliver it as it is',
    'recorded as your decision, with your reason, then delivered',
    true,
  ],
  fix_sink: ['I fixed the sink: deliver again', 'delivery is tried again with the same work'],
  rebase: ['rebase onto the current target', 'the agent goes on from the checkpoint to rebase'],
  choose_patch_output: ['write a patch file instead', 'the same work is written as a patch file'],
  split_work: [
    'deliver only what is inside the scope',
    'what is outside is left out and stays in the checkpoint',
  ],
  retry: [
    'try again from the checkpoint',
    'one attempt; if it fails in the same way without progress, you are asked again; a note adds your advice',
  ],
  abandon: ['end it for good; the work is kept', 'the run ends; the work stays on a branch of its own'],
} as const satisfies Readonly<Record<string, OptionWords>>;

export type Resolution = keyof typeof RESOLUTIONS;

/** Options that only one class of failure offers. */
const OWN_OPTIONS = ['allow', 'pass_env', 'raise_budget', 'skip_setup'] as const;
type OwnOption = (typeof OWN_OPTIONS)[number];
/** A choice that the agent itself offers with its question. */
export type AgentOption = `option_${number}`;
export type OptionId = Resolution | OwnOption | AgentOption;

export interface QuestionOption {
  readonly id: OptionId;
  readonly label: string;
  readonly effect: string;
  /** The option needs the person's own words; without them it would say nothing, or Mayday would speak in their name. */
  readonly needsNote?: boolean;
  /** What choosing it does; absent in journals of version 1. */
  readonly consequence?: Consequence;
}

export function isResolution(id: string): id is Resolution {
  return Object.hasOwn(RESOLUTIONS, id);
}

export function isAgentOption(id: OptionId): id is AgentOption {
  return !isResolution(id) && !OWN_OPTIONS.some((own) => own === id);
}

export function agentOptions(labels: readonly string[]): (QuestionOption & { readonly id: AgentOption })[] {
  const effect = 'the agent is told that you chose this';
  return labels.map((label, index) => ({ id: `option_${index + 1}`, label, effect }));
}

export function optionFor(id: Resolution): QuestionOption {
  return ownWords(id, RESOLUTIONS[id]);
}

/** The option in the words of this question. `words[2]` replaces the usual `needsNote` of the option. */
export function ownWords(id: Resolution, words: OptionWords): QuestionOption {
  const always: OptionWords = RESOLUTIONS[id];
  const [label, effect, needsNote = always[2] ?? false] = words;
  return { id, label, effect, ...(needsNote ? { needsNote } : {}) };
}
