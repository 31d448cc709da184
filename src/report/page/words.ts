/** `percent`, `minutesText`, `span`, `percentile`, `countedShare`, `change`, `day`: numbers as text. `inWords`: a code as words. */

export function percent(share: number | null): string {
  return share === null ? '-' : `${Math.round(share * 1000) / 10} %`;
}

export function minutesText(ms: number | null): string {
  if (ms === null) return '-';
  const value = ms / 60_000;
  return value >= 100 ? `${Math.round(value)} min` : `${Math.round(value * 10) / 10} min`;
}

/** Seconds where it is short: rescues without a person are. */
export function span(ms: number | null): string {
  if (ms === null) return '-';
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms < 100 * 60_000) return minutesText(ms);
  return `${Math.round(ms / 360_000) / 10} h`;
}

/** A percentile of fewer values says less than the values themselves. */
const MIN_VALUES = 5;

export function percentile(ms: number | null, n: number): string {
  return n < MIN_VALUES ? '-' : span(ms);
}

/** A class, category or strategy as people read it; the JSON has its code. */
export function inWords(code: string): string {
  return code.replaceAll('_', ' ');
}

export function countedShare({ n, share }: { readonly n: number; readonly share: number | null }): string {
  return `${n} (${percent(share)})`;
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
