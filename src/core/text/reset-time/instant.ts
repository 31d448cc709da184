/** `readInstant`, `isoInstant`: instants written out in full: ISO 8601, HTTP dates, epochs. No time zone is guessed here. */
import { findDuration } from './duration.ts';
import { knownZone, toInstant } from './zoned.ts';

export interface Clock {
  readonly nowMs: number;
  readonly timeZone: string;
}

export interface ResetTime {
  /** Milliseconds since the epoch; at most `PAST_GRACE_MS` before now. */
  readonly at: number;
  /** The words it was read from, verbatim. */
  readonly source: string;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
export const ISO =
  /(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?\s?(Z\b|UTC\b|GMT\b|[+-]\d{2}:?\d{2}\b)?/;
const HTTP_DATE =
  /^(?:[A-Z][a-z]{2,8},\s)?(\d{1,2})[ -]([A-Z][a-z]{2})[ -](\d{4})\s(\d{2}):(\d{2}):(\d{2})\s(?:GMT|UTC)/;
/** Below this a bare number cannot be an epoch of our time, so it counts seconds from now. */
const FIRST_EPOCH_S = 1_000_000_000;
const FIRST_EPOCH_MS = 1_000_000_000_000;

/** What a field says: an epoch, a date, a duration, or a bare count of `unitMs`. Null when it says none of these. */
export function readInstant(value: string, clock: Clock, unitMs: number): number | null {
  const trimmed = value.trim();
  const number = /^(\d{1,16}(?:\.\d{1,9})?)(?![\d:-]|\.\d|\s?[A-Za-z])/.exec(trimmed);
  if (number !== null) return fromNumber(Number(number[1]), clock.nowMs, unitMs);
  const iso = ISO.exec(trimmed);
  if (iso?.index === 0) return isoInstant(iso, clock);
  const http = HTTP_DATE.exec(trimmed);
  if (http !== null) {
    const [day = 0, , year = 0, hour = 0, minute = 0, second = 0] = http.slice(1).map(Number);
    const month = MONTHS.indexOf((http[2] as string).toLowerCase()) + 1;
    return month === 0 ? null : toInstant({ year, month, day, hour, minute, second }, 'UTC');
  }
  const duration = findDuration(trimmed);
  return duration?.index === 0 ? clock.nowMs + duration.ms : null;
}

export function isoInstant(match: RegExpExecArray, clock: Clock): number | null {
  const parts = match.slice(1, 7).map((part) => Number(part ?? 0));
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  const zone = match[7] === undefined ? clock.timeZone : knownZone(match[7]);
  return toInstant({ year, month, day, hour, minute, second }, zone ?? clock.timeZone);
}

function fromNumber(value: number, nowMs: number, unitMs: number): number {
  if (value >= FIRST_EPOCH_MS) return value;
  if (value >= FIRST_EPOCH_S) return value * 1000;
  return nowMs + value * unitMs;
}
