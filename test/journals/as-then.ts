/**
 * `asThen`: a recorded document without the keys whose form changed since. `isProvenThen`: whether it calls a delivery proven; today that is
 * derived from the same journal.
 */
export function asThen(document: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { not_proven: _, questions, next_step, ...same } = document;
  const asked = questions as readonly Readonly<Record<string, unknown>>[];
  // The call for an open question names the recommended option.
  const isAnswer = String(next_step).startsWith('mayday answer');
  return {
    ...same,
    ...(isAnswer ? {} : { next_step }),
    questions: asked.map(({ recommended: __, ...question }) => question),
  };
}

export function isProvenThen({ state, not_proven }: Readonly<Record<string, unknown>>): boolean {
  return state === 'delivered' && not_proven === null;
}
