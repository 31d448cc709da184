/** `clockTime`, `localTime`, `ago`: times as text, in the time zone of this machine. `duration`: as every door tells one. */
import { minutes as duration } from '../../core/text/minutes.ts';

export { duration };

export function clockTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}

/** With the day if it is not today. */
export function localTime(at: number, now = Date.now()): string {
  const [day, today] = [at, now].map((time) => new Date(time).toLocaleDateString('sv-SE'));
  return day === today ? clockTime(at) : `${day} ${clockTime(at)}`;
}

/** Of the largest unit only: how old something is needs no seconds after a minute. */
export function ago(at: number, now: number): string {
  const [amount, unit] = duration(now - at).split(' ');
  return `${amount} ${unit} ago`;
}
