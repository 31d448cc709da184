/** `clockTime`, `localTime`, `duration`, `ago`: times as text, in the time zone of this machine. */

export function clockTime(at: number): string {
  return new Date(at).toTimeString().slice(0, 5);
}

/** With the day if it is not today. */
export function localTime(at: number, now = Date.now()): string {
  const [day, today] = [at, now].map((time) => new Date(time).toLocaleDateString('sv-SE'));
  return day === today ? clockTime(at) : `${day} ${clockTime(at)}`;
}

export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60)
    return seconds % 60 === 0 || minutes >= 10 ? `${minutes} m` : `${minutes} m ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  return hours < 48
    ? `${hours} h${minutes % 60 === 0 ? '' : ` ${minutes % 60} m`}`
    : `${Math.floor(hours / 24)} d`;
}

/** Of the largest unit only: how old something is needs no seconds after a minute. */
export function ago(at: number, now: number): string {
  const [amount, unit] = duration(now - at).split(' ');
  return `${amount} ${unit} ago`;
}
