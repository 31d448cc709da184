/**
 * `parseResetTime`: when a limit ends, read from what the provider, the agent CLI or a gateway said.
 *
 * Four kinds of statement, most exact first: fields (`resets_at`, `Retry-After`), an epoch behind a bar (`limit reached|1760000400`),
 * sentences ("resets 5:30am (Asia/Calcutta)"), vendor rate headers. Where fields and sentences disagree the later time wins, because a
 * resume that comes too early is wasted. A time that cannot be true (long past, months away) is ignored: the caller backs off instead.
 */
import { fieldResets, headerResets } from './fields.ts';
import type { ResetTime } from './instant.ts';
import { sentenceReset } from './sentence.ts';

/** A time told to the second comes at most this much later: an epoch, a full timestamp, a count of seconds. */
const EXACT_MS = 5_000;
const EXACT = [
  /\d{10,13}/,
  /\d{2}:\d{2}:\d{2}/,
  // A field with a bare count.
  /[:=]\s{0,3}\\?["']?\d{1,9}(?:\.\d{1,9})?s?$/,
  /\d\s{0,2}(?:seconds?|secs?|s)\b|seconds\s{0,3}:\s{0,3}\d/i,
];

/** Counted minutes, or a minute that nobody rounded to a quarter of an hour: 9:08 and 9:50, but not 9:30. */
const TO_THE_MINUTE = /\d\s{0,2}(?:minutes?|mins?|m)\b|\b\d{1,2}:(?!00|15|30|45)[0-5]\d\b/i;

/** How exact the statement is. "In 5 minutes" and "at 9:08" are exact to a minute; for "resets 3pm" only the policy knows. */
export function exactToMs({ source }: ResetTime): number | undefined {
  if (EXACT.some((pattern) => pattern.test(source))) return EXACT_MS;
  return TO_THE_MINUTE.test(source) ? 60_000 : undefined;
}

/** The fields of a diagnosis that tell when to try again. */
export function retryOf(reset: ResetTime | null): { retryAt: number | null; retryExactToMs?: number } {
  const retryExactToMs = reset === null ? undefined : exactToMs(reset);
  return { retryAt: reset?.at ?? null, ...(retryExactToMs === undefined ? {} : { retryExactToMs }) };
}

/** A message may be read some minutes after it was written; "resets 3pm" at 3:04 pm means now, not tomorrow. */
export const PAST_GRACE_MS = 10 * 60_000;
/** The longest limits are monthly; anything beyond is a wrong unit or a wrong year. */
const HORIZON_MS = 35 * 86_400_000;
/** The statement stands at the end of an output, or in a short message. */
const MAX_TEXT = 64 * 1024;

export function parseResetTime(text: string, nowMs: number, timeZone: string): ResetTime | null {
  const cut = text.length > MAX_TEXT ? text.slice(-MAX_TEXT) : text;
  const clock = { nowMs, timeZone };
  const believable = (found: ResetTime | null): found is ResetTime =>
    found !== null && found.at >= nowMs - PAST_GRACE_MS && found.at <= nowMs + HORIZON_MS;

  const stated = [...fieldResets(cut, clock), barEpoch(cut), sentenceReset(cut, clock, believable)];
  return latest(stated.filter(believable)) ?? latest(headerResets(cut, clock).filter(believable));
}

function barEpoch(text: string): ResetTime | null {
  const match = [...text.matchAll(/limit[^\n|]{0,80}\|(\d{10}(?:\d{3})?)(?!\d)/gi)].at(-1);
  if (match === undefined) return null;
  const digits = match[1] as string;
  return { at: Number(digits) * (digits.length === 13 ? 1 : 1000), source: match[0] };
}

function latest(found: readonly ResetTime[]): ResetTime | null {
  return found.reduce<ResetTime | null>(
    (best, next) => (best === null || next.at > best.at ? next : best),
    null,
  );
}
