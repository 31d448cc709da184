/**
 * `percent`, `minutesText`, `span`, `percentile`, `countedShare`, `endedShare`, `ofEnded`, `change`, `day`: numbers as text. `inWords`: a
 * code as words.
 */

import { minutes } from '../../core/text/minutes.ts';

export function percent(share: number | null): string {
  return share === null ? '-' : `${Math.round(share * 1000) / 10} %`;
}

export function minutesText(ms: number | null): string {
  if (ms === null) return '-';
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

/** Of fewer values than this, each percentile is one of a handful: it says less than the values themselves. */
const MIN_VALUES = 5;

/** By the nearest rank, of fewer than 1 / (1 - rank) values the percentile is only their largest: 10 for p90, 20 for p95. */
export function percentile(ms: number | null, n: number, rank: number): string {
  return n < Math.max(MIN_VALUES, Math.round(1 / (1 - rank))) ? '-' : span(ms);
}

/** A class, category or strategy as people read it; the JSON has its code. */
export function inWords(code: string): string {
  return code.replaceAll('_', ' ');
}

export function countedShare({ n, share }: { readonly n: number; readonly share: number | null }): string {
  return `${n} (${percent(share)})`;
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
export function ofEnded(count: { readonly n: number }, tasks: Tasks): string {
  const share = countedShare({ n: count.n, share: endedShare(count, tasks) });
  const { total, open } = tasks;
  if (open === 0) return share;
  return total === open ? `${share}, none has ended yet` : `${share} of the ${total - open} that ended`;
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
