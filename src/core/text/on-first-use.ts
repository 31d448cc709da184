/**
 * `onFirstUse`: makes a value when it is first asked for. A schema, or a long pattern with classes of Unicode, takes a part
 * of a millisecond of every start of its program.
 */

export function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
