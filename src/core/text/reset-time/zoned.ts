/** `toInstant`, `wallClock`: wall-clock time in a named zone to an instant and back; both daylight-saving edges are decided. */

export interface WallClock {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

const DAY_MS = 86_400_000;

/** Abbreviations seen in provider messages; minutes east of UTC. Ambiguous ones take the meaning most users have. */
// biome-ignore format: a table
const ABBREVIATIONS: Readonly<Record<string, number>> = {
  UTC: 0, GMT: 0, Z: 0,
  PST: -480, PDT: -420, MST: -420, MDT: -360, CST: -360, CDT: -300, EST: -300, EDT: -240,
  BST: 60, CET: 60, CEST: 120, EET: 120, EEST: 180, MSK: 180,
  IST: 330, SGT: 480, JST: 540, KST: 540, AEST: 600, AEDT: 660,
};

/** A zone name, abbreviation or offset as the time-zone argument of `toInstant`; null when it is unknown. */
export function knownZone(name: string): string | null {
  const trimmed = name.trim();
  const offset = /^(?:UTC|GMT)?\s{0,2}([+-])(\d{1,2}):?(\d{2})?$/i.exec(trimmed);
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3] ?? 0);
    return minutes > 14 * 60 ? null : fixed(offset[1] === '-' ? -minutes : minutes);
  }
  const abbreviation = ABBREVIATIONS[trimmed.toUpperCase()];
  if (abbreviation !== undefined) return fixed(abbreviation);
  return isZone(trimmed) ? trimmed : null;
}

function fixed(minutes: number): string {
  const size = Math.abs(minutes);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.trunc(size / 60))}:${two(size % 60)}`;
}

function isZone(name: string): boolean {
  if (!/^[A-Za-z_]{2,20}(?:\/[A-Za-z_+-]{2,30}){1,2}$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function wallClock(atMs: number, timeZone: string): WallClock {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const get = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return {
    year: get('year'),
    month: get('month'),
    day: get('day'),
    hour: get('hour'),
    minute: get('minute'),
    second: get('second'),
  };
}

function asIfUtc(wall: WallClock): number {
  return Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);
}

function offsetMs(atMs: number, timeZone: string): number {
  return asIfUtc(wallClock(atMs, timeZone)) - Math.trunc(atMs / 1000) * 1000;
}

/**
 * A time that exists twice (clocks go back) is the second one: too late by an hour costs less than a wasted resume.
 * A time that does not exist (clocks go forward) is the same distance after the jump, as clocks show it.
 * Null when the date itself does not exist.
 */
export function toInstant(wall: WallClock, timeZone: string): number | null {
  const naive = asIfUtc(wall);
  const check = new Date(naive);
  if (check.getUTCMonth() !== wall.month - 1 || check.getUTCDate() !== wall.day || wall.hour > 23)
    return null;
  if (wall.minute > 59 || wall.second > 59) return null;
  const before = offsetMs(naive - DAY_MS, timeZone);
  const after = offsetMs(naive + DAY_MS, timeZone);
  const exact = [naive - before, naive - after].filter((at) => offsetMs(at, timeZone) === naive - at);
  return exact.length > 0 ? Math.max(...exact) : naive - before;
}

/** The calendar day `days` later; time of day kept. */
export function addDays(wall: WallClock, days: number): WallClock {
  const moved = new Date(Date.UTC(wall.year, wall.month - 1, wall.day) + days * DAY_MS);
  return { ...wall, year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate() };
}
