/** `distribution`, `sum`, `count`, `measured`: the statistics of reports, each defined only here. */

export interface Distribution {
  readonly n: number;
  readonly mean: number | null;
  readonly p50: number | null;
  readonly p90: number | null;
  readonly p95: number | null;
}

/** Percentiles by the nearest rank: each is a value that occurred. */
export function distribution(values: readonly number[]): Distribution {
  const sorted = values.toSorted((a, b) => a - b);
  const rank = (share: number) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
  const mean = sorted.length === 0 ? null : sum(values) / sorted.length;
  return { n: sorted.length, mean, p50: rank(0.5), p90: rank(0.9), p95: rank(0.95) };
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

export function measured<T>(items: readonly T[], measure: (item: T) => number | null): readonly number[] {
  return items.map(measure).filter((value) => value !== null);
}

export interface Count {
  readonly n: number;
  readonly share: number | null;
}

export function count(n: number, of: number): Count {
  return { n, share: of === 0 ? null : n / of };
}
