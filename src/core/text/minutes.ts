/** `minutes`: a duration in words, the one form of every door: `52 s`, `1 min 52 s`, `12 min`, `2 h 11 min`, `3 d`. */

/** From ten minutes on seconds say nothing to a person, from two days on minutes say nothing. */
const WITH_SECONDS_MIN = 10;
const IN_HOURS = 48;

export function minutes(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const whole = Math.floor(seconds / 60);
  if (whole < WITH_SECONDS_MIN) return joined(whole, 'min', seconds % 60, 's');
  if (whole < 60) return `${whole} min`;
  const hours = Math.floor(whole / 60);
  return hours < IN_HOURS ? joined(hours, 'h', whole % 60, 'min') : `${Math.floor(hours / 24)} d`;
}

function joined(large: number, unit: string, small: number, smaller: string): string {
  return `${large} ${unit}${small === 0 ? '' : ` ${small} ${smaller}`}`;
}
