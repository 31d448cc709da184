/** `sentenceReset`: reset times in sentences for people: "resets Oct 9, 5pm (Europe/Zurich)", "try again in 2 hours". */
import { inOrder } from '../in-order.ts';
import { oneOf } from '../one-of.ts';
import { type ResetTime, type Clock, ISO, isoInstant } from './instant.ts';
import { type DayText, findDay } from './calendar.ts';
import { findDuration } from './duration.ts';
import { findTimeOfDay, type TimeText } from './time-of-day.ts';
import { addDays, knownZone, toInstant, type WallClock, wallClock } from './zoned.ts';

/** A time without one of these words before it is a time of something else. */
const CUE = oneOf(
  /(?<![\w-])(?:resets?(?![\w-])|resetting|renews?|refresh(?:es)?|try again|retry(?:ing)?(?: again)?|come back)/giu,
  /(?<![\w-])(?:available(?: again)?|back at|unblocked|until|wait(?:ing)?|réinitialis\p{L}{0,4}|réessaye[rz]|disponible)/giu,
  /(?<![\w-])(?:restablec\p{L}{0,4}|reinicia\p{L}{0,3}|inténtalo|intente|tente novamente|redefinid\p{L}|disponível)/giu,
  /(?<![\w-])(?:riprova|ripristin\p{L}{0,4}|disponibile|versuchen sie|versuche|zurücksetzung|verfügbar|повторите)/giu,
  /(?<![\w-])сброс\p{L}{0,6}|リセット|再試行|重置|重試|重试|恢复|재설정|다시 시도/giu,
);
/** Languages whose verb comes last: here the time stands before the cue. */
const CUE_AFTER =
  /zurückgesetzt|erneut|wieder verfügbar|zurücksetz|リセット|再試行|ご利用|重置|重試|重试|恢复|可用|초기화|재설정|다시 시도|sıfırlan/giu;
/** How far from its cue a time may stand. */
const REACH = 90;
const MAX_LINE = 2_000;
const ZONE = inOrder(/^\s{0,2},?\s{0,2}\(?\s{0,2}/, {
  zone: [
    /[A-Za-z_]{1,20}(?:\/[A-Za-z_+-]{2,30}){1,2}/,
    /(?:UTC|GMT)\s?[+-]\d{1,2}(?::?\d{2})?|[A-Z]{1,4}T\b|UTC|GMT|Z\b|[+-]\d{2}:?\d{2}/,
  ],
});
const DAY_MS = 86_400_000;

type Believable = (found: ResetTime | null) => found is ResetTime;

/** The last sentence that gives a believable time: later lines are about the later limit. */
export function sentenceReset(text: string, clock: Clock, believable: Believable): ResetTime | null {
  const lines = text.split(/\r?\n/);
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = (lines[index] as string).slice(0, MAX_LINE);
    for (const near of nearCues(line)) {
      const found = readNear(near, clock, believable);
      if (found !== null) return found;
    }
  }
  return null;
}

/** Text that follows a cue, last cue first; then text that leads up to one. */
function nearCues(line: string): readonly string[] {
  const after = [...line.matchAll(CUE)].map((cue) =>
    line.slice(cue.index, cue.index + cue[0].length + REACH),
  );
  const before = [...line.matchAll(CUE_AFTER)].map((cue) =>
    line.slice(Math.max(0, cue.index - REACH), cue.index + cue[0].length),
  );
  return [...after.toReversed(), ...before.toReversed()];
}

function readNear(near: string, clock: Clock, believable: Believable): ResetTime | null {
  const iso = ISO.exec(near);
  if (iso !== null) {
    const at = isoInstant(iso, clock);
    const found = at === null ? null : { at, source: near.slice(0, iso.index + iso[0].length) };
    if (believable(found)) return found;
  }
  const day = findDay(near);
  // The digits of a date are not also a time of day.
  const masked = day === null ? near : blank(near, day.index, day.length);
  const time = findTimeOfDay(masked);
  const duration = day === null ? findDuration(near) : null;
  if (duration !== null && (time === null || duration.index < time.index))
    return { at: clock.nowMs + duration.ms, source: near.slice(0, duration.index + duration.source.length) };
  if (day === null && time === null) return null;
  return placeInTime(near, day, time, clock, believable);
}

function placeInTime(
  near: string,
  day: DayText | null,
  time: TimeText | null,
  clock: Clock,
  believable: Believable,
): ResetTime | null {
  const end = Math.max(endOf(day), endOf(time));
  const zone = ZONE.exec(near.slice(time === null ? end : endOf(time)));
  const named = zone === null ? null : knownZone(zone.groups?.['zone'] as string);
  const timeZone = named ?? clock.timeZone;
  const source = near.slice(0, named === null ? end : Math.max(end, endOf(time) + (zone?.[0].length ?? 0)));
  const today = wallClock(clock.nowMs, timeZone);
  const hours = time === null ? [0] : time.eitherHalf ? [time.hour % 12, (time.hour % 12) + 12] : [time.hour];
  const candidates = hours.flatMap((hour) =>
    days(day, today).map((wall) => {
      const at = instant({ ...wall, hour, minute: time?.minute ?? 0, second: time?.second ?? 0 }, timeZone);
      return at === null ? null : { at, source };
    }),
  );
  // Of several readings the nearest believable one: an early wake-up costs a request, a late one may cost weeks.
  return candidates.filter(believable).toSorted((one, other) => one.at - other.at)[0] ?? null;
}

function days(day: DayText | null, today: WallClock): readonly WallClock[] {
  if (day === null) return [today, addDays(today, 1)];
  const text = day.day;
  switch (text.type) {
    case 'relative':
      return [addDays(today, text.days)];
    case 'weekday': {
      const now = new Date(Date.UTC(today.year, today.month - 1, today.day)).getUTCDay();
      const ahead = (text.weekday - now + 7) % 7;
      return [addDays(today, ahead), addDays(today, ahead + 7)];
    }
    case 'date':
      return years(text.year, today).map((year) => ({ ...today, year, month: text.month, day: text.day }));
    case 'ambiguous':
      return years(text.year, today).flatMap((year) => [
        { ...today, year, month: text.first, day: text.second },
        { ...today, year, month: text.second, day: text.first },
      ]);
  }
}

function years(stated: number | null, today: WallClock): readonly number[] {
  return stated === null ? [today.year, today.year + 1] : [stated];
}

function instant(wall: WallClock, timeZone: string): number | null {
  if (wall.hour !== 24) return toInstant(wall, timeZone);
  const midnight = toInstant({ ...wall, hour: 0 }, timeZone);
  return midnight === null ? null : midnight + DAY_MS;
}

function endOf(part: { readonly index: number; readonly length: number } | null): number {
  return part === null ? 0 : part.index + part.length;
}

function blank(text: string, index: number, length: number): string {
  return text.slice(0, index) + ' '.repeat(length) + text.slice(index + length);
}
