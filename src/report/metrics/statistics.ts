/** `distribution`, `sum`, `count`, `measured`: the statistics of reports, each defined only here. */

export interface Distribution {
  readonly n: number;
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
}

/** Percentiles by the nearest rank: each is a value that occurred. */
export function distribution(values: ArrayLike<number>): Distribution {
  const sorted = new Float64Array(values).sort();
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
  const mean = sorted.length === 0 ? null : sum(values) / sorted.length;
  return { n: sorted.length, mean, p50: rank(0.5), p90: rank(0.9), p95: rank(0.95) };
}

export function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let index = 0; index < values.length; index += 1) total += values[index] ?? 0;
  return total;
}

/** The values that can be measured; items without one are left out. */
export function measured<T>(items: readonly T[], measure: (item: T) => number | null): Float64Array {
  const found = new Float64Array(items.length);
  let length = 0;
  for (const item of items) {
    const value = measure(item);
    if (value === null) continue;
    found[length] = value;
    length += 1;
  }
  return found.subarray(0, length);
}

export interface Count {
  readonly n: number;
  readonly share: number | null;
}

export function count(n: number, of: number): Count {
  return { n, share: of === 0 ? null : n / of };
}
