/** `shortened`: the first rows of a long table. The whole list is in the JSON. */
export const MAX_ROWS = 12;

export function shortened(items: readonly string[]): string[] {
  const more = items.length - MAX_ROWS;
  return more > 0 ? [...items.slice(0, MAX_ROWS), `and ${more} more`] : [...items];
}
