/** `useFocus`: one row of a list is in focus, by its name in the address; `j` and `k` move it. */
import { address, go } from './address.ts';
import { useKeys } from './keys.ts';

export function useFocus<T>(rows: readonly T[], nameOf: (row: T) => string, path: string): T | undefined {
  const at = Math.max(
    0,
    rows.findIndex((row) => nameOf(row) === address.value.name),
  );
  const move = (by: number) => {
    const next = rows[Math.min(Math.max(at + by, 0), rows.length - 1)];
    if (next === undefined) return;
    go(`${path}${encodeURIComponent(nameOf(next))}`, true);
    document.querySelector('.focus')?.scrollIntoView({ block: 'nearest' });
  };
  useKeys({ j: () => move(1), k: () => move(-1), ArrowDown: () => move(1), ArrowUp: () => move(-1) });
  return rows[at];
}
