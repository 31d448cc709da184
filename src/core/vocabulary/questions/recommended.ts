/** `safeOption`, `recommendedOf`: what Mayday recommends is safe if the person is wrong: it widens and waives nothing. */
import type { Consequence } from './consequence.ts';
import { isAgentOption, type QuestionOption } from './resolution.ts';

const IS_SAFE: Readonly<Record<Consequence['type'], boolean>> = {
  tell_agent: true,
  try_again: true,
  rescue: true,
  split_work: true,
  rebase: true,
  fix_sink: true,
  change_sink: true,
  // The work is kept.
  abandon: true,
  raise_budget: false,
  allow_tools: false,
  pass_variables: false,
  start_anyway: false,
  skip_setup: false,
  set_scope: false,
  name_scope: false,
  widen_scope: false,
  approve: false,
  accept: false,
};

/**
 * The preferred option if it is safe, otherwise the first safe one; to give up is recommended only where it is preferred. Null: a person
 * must choose, also where the agent offers choices, whose order and words are its own.
 */
export function safeOption(options: readonly QuestionOption[], preferred?: string): string | null {
  const safe = options.filter(isSafe);
  const isChoice = options.some(({ id }) => isAgentOption(id));
  const first = isChoice ? undefined : safe.find(({ id }) => id !== 'abandon');
  return (safe.find(({ id }) => id === preferred) ?? first)?.id ?? null;
}

/** The stored recommendation. An older journal may hold one that is not safe: then there is none. */
export function recommendedOf(question: {
  readonly options: readonly QuestionOption[];
  readonly recommended: string | null;
}): string | null {
  const option = question.options.find(({ id }) => id === question.recommended);
  return option !== undefined && isSafe(option) ? option.id : null;
}

function isSafe({ id, consequence }: QuestionOption): boolean {
  return !isAgentOption(id) && consequence !== undefined && IS_SAFE[consequence.type];
}
