/**
 * `followRuns`, `roundsOf`: count how often a row of things went round, like A B C A B C. For every length k, one number counts how many
 * things in a row were equal to the one k before; k * (rounds - 1) of them make that many rounds.
 */

/** The number for length k stands at index k - 1. `recent` holds as many of the last things as the longest round has. */
export function followRuns<T>(
  runs: readonly number[],
  recent: readonly T[],
  next: T,
  longest: number,
  isSame: (one: T, other: T) => boolean,
): readonly number[] {
  const followed: number[] = [];
  for (let k = 1; k <= longest; k++) {
    const other = recent[recent.length - k];
    followed.push(other !== undefined && isSame(other, next) ? (runs[k - 1] ?? 0) + 1 : 0);
  }
  return followed;
}

export function roundsOf(runs: readonly number[], length: number): number {
  return Math.floor((runs[length - 1] ?? 0) / length) + 1;
}
