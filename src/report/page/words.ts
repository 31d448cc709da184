/** `percent`, `span`, `mean`, `percentile`, `countedShare`, `change`, `inWords`: numbers as text; each share says of how many. */

import { minutes } from '../../core/text/minutes.ts';

export function percent(share: number | null): string {
  return share === null ? '-' : `${Math.round(share * 1000) / 10} %`;
}

/** Of fewer than this, one more would change a share by a fifth and more: the counts say it better. */
export const FEW = 5;

/** A share in a table that has the count beside it. */
export function shareCell(n: number, of: number): string {
  if (of === 0) return NONE;
  return of < FEW ? 'too few' : percent(n / of);
}

/** A count and its share in a table. */
export function countCell(n: number, of: number): string {
  if (of === 0) return NONE;
  return of < FEW ? `${n} of ${of}` : `${n} (${percent(n / of)})`;
}

/** Where there is nothing to measure. */
const NONE = 'none';

export function minutesText(ms: number | null): string {
  if (ms === null) return NONE;
  const value = ms / 60_000;
  return value >= 100 ? `${Math.round(value)} min` : `${Math.round(value * 10) / 10} min`;
}

/** What rounds to a minute is one. */
const TENTHS_BELOW_MS = 59_950;

/** Tenths of a second where it is short: rescues without a person are. */
export function span(ms: number | null): string {
  if (ms === null) return '-';
  return ms < TENTHS_BELOW_MS ? `${Math.round(ms / 100) / 10} s` : minutes(ms);
}

export function mean(values: { readonly mean: number | null }): string {
  return values.mean === null ? NONE : span(values.mean);
}

/** By the nearest rank, of fewer than 1 / (1 - rank) values the percentile is only their largest: 10 for p90, 20 for p95. */
export function percentile(ms: number | null, n: number, rank: number): string {
  if (n === 0) return NONE;
  return n < Math.max(FEW, Math.round(1 / (1 - rank))) ? 'too few' : span(ms);
}

/** A class, category or strategy as people read it; the JSON has its code. */
export function inWords(code: string): string {
  return code.replaceAll('_', ' ');
}

/** `5 (50 %) of 10`; of a few, only the counts. */
export function countedShare(n: number, of: number, name = `${of}`): string {
  if (of === 0) return String(n);
  return of < FEW ? `${n} of ${name}, too few for a share` : `${n} (${percent(n / of)}) of ${name}`;
}

interface Tasks {
  readonly total: number;
  readonly open: number;
}

/** Null: none has ended. */
export function endedShare({ n }: { readonly n: number }, { total, open }: Tasks): number | null {
  return total === open ? null : n / (total - open);
}

/** Of an outcome: a run that is still open has none yet, and is told beside the share. */
export function ofEnded({ n }: { readonly n: number }, { total, open }: Tasks): string {
  const ended = total - open;
  if (open === 0) return countedShare(n, ended);
  return ended === 0 ? `${n}, none has ended yet` : countedShare(n, ended, `the ${ended} that ended`);
}

/** The change since the period before, e.g. ` (was 12, -50 %)`. */
export function change(
  now: number | null,
  before: number | null | undefined,
  say: (value: number) => string,
): string {
  if (before === undefined) return '';
  if (before === null || now === null) return before === null ? ' (no data before)' : ` (was ${say(before)})`;
  const relative =
    before === 0 ? '' : `, ${now >= before ? '+' : ''}${Math.round(((now - before) / before) * 100)} %`;
  return ` (was ${say(before)}${relative})`;
}

export function day(iso: string): string {
  return iso.slice(0, 10);
}
