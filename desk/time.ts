/** `span`, `clock`, `until`: times for people, in the zone of the viewer. */
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function ms(iso: string | null | undefined): number | null {
  return iso === null || iso === undefined ? null : Date.parse(iso);
}

export function span(given: number): string {
  const length = Math.max(0, given);
  if (length < 100 * SECOND) return `${Math.floor(length / SECOND)} s`;
  if (length < 100 * MINUTE) return `${Math.floor(length / MINUTE)} min`;
  if (length < 48 * HOUR) return `${Math.floor(length / HOUR)} h`;
  return `${Math.floor(length / DAY)} d`;
}

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const SECONDS = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DATE = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

export function clock(at: number, now: number): string {
  return Math.abs(now - at) < 20 * HOUR ? TIME.format(at) : DATE.format(at);
}

/** With seconds where a person can wait for it. */
export function moment(at: number, now: number): string {
  return Math.abs(now - at) < 10 * MINUTE ? clockWithSeconds(at) : clock(at, now);
}

export function clockWithSeconds(at: number): string {
  return SECONDS.format(at);
}
