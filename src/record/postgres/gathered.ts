/**
 * `gathered`: makes one question to the store of all that is asked within one turn of the event loop: keepers of one host look at the
 * same moments. An answer never comes from a question that began before it was asked for.
 */
import { setImmediate as endOfTurn } from 'node:timers/promises';

export function gathered<Key, Answer>(
  ask: (keys: readonly Key[]) => Promise<Answer>,
): (key: Key) => Promise<Answer> {
  let next: { readonly keys: Set<Key>; readonly answer: Promise<Answer> } | null = null;
  const begin = () => {
    const keys = new Set<Key>();
    const answer = endOfTurn().then(() => {
      next = null;
      return ask([...keys]);
    });
    return { keys, answer };
  };
  return (key) => {
    next ??= begin();
    next.keys.add(key);
    return next.answer;
  };
}
