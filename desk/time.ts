/** `span`, `clock`, `zoneName`, `moment`, `day`, `shortCount`: times and counts for people. A time that is not of today has its date. */
import { minutes } from '../src/core/text/minutes.ts';

const MINUTE = 60_000;

export function ms(iso: string | null | undefined): number | null {
  return iso === null || iso === undefined ? null : Date.parse(iso);
}

/** In the one form of every door. */
export const span = minutes;

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const SECONDS = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const DAY_AND_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });

/** `17 Nov`; with the year where it is another one. */
export function day(at: number, now: number): string {
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear();
  return (isThisYear ? DAY_OF_YEAR : DAY_AND_YEAR).format(at);
}

export function isToday(at: number, now: number): boolean {
  return new Date(at).toDateString() === new Date(now).toDateString();
}

export function clock(at: number, now: number): string {
  return isToday(at, now) ? TIME.format(at) : dayAndTime(at, now);
}

/** For lists over many days. */
export function dayAndTime(at: number, now: number): string {
  return `${day(at, now)} ${TIME.format(at)}`;
}

/** With seconds where a person can wait for it. */
export function moment(at: number, now: number): string {
  return Math.abs(now - at) < 10 * MINUTE ? clockWithSeconds(at) : clock(at, now);
}

export function clockWithSeconds(at: number): string {
  return SECONDS.format(at);
}

const ZONE = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });

/** `UTC`, `CET`: in which zone all times of the page are told. */
export function zoneName(at: number): string {
  return ZONE.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

export function shortCount(count: number): string {
  if (count >= 1e6) return `${(count / 1e6).toFixed(1)}M`;
  return count >= 1e3 ? `${Math.round(count / 1e3)}k` : String(count);
}
