/**
 * `VersionRange`, `RangedQuirk`, `quirksOf`, `compareVersions`: what is known of a CLI, by ranges of its versions. Releases come almost
 * daily, so a habit that was measured at both ends of a range is taken to hold between them; a newer version is treated like the newest.
 */
import type { Quirk } from './adapter.ts';

/** Both ends included; an absent end is open. */
export interface VersionRange {
  readonly from?: string;
  readonly to?: string;
}

export interface RangedQuirk extends Quirk {
  /** Absent: in every version that was measured. */
  readonly versions?: VersionRange;
}

export function isInRange(version: string, { from, to }: VersionRange): boolean {
  return (
    (from === undefined || compareVersions(version, from) >= 0) &&
    (to === undefined || compareVersions(version, to) <= 0)
  );
}

/** `newest`: the newest version that was measured. Older and unreadable versions count as that one too. */
export function quirksOf(
  quirks: readonly RangedQuirk[],
  measured: Required<VersionRange>,
  version: string | null,
): readonly Quirk[] {
  const assumed = version !== null && isInRange(version, measured) ? version : measured.to;
  return quirks.filter(({ versions = {} }) => isInRange(assumed, versions));
}

export function compareVersions(one: string, other: string): number {
  const [left, right] = [one, other].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const index = left.findIndex((part, position) => part !== right[position]);
  return index === -1 ? 0 : (left[index] as number) - (right[index] ?? 0);
}
