/** `percent`, `minutesText`, `span`, `countedShare`, `change`, `day`: numbers as text. */

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
