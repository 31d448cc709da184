/** `findTimeOfDay`: reads times of day as people and locales write them: 5:30am, 17:00 Uhr, 17h30, 午後5時, noon. */

export interface TimeText {
  readonly index: number;
  readonly length: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** "at 5": morning or afternoon, whichever comes next. */
  readonly eitherHalf: boolean;
}

const TWELVE = /(?<![\d:.])(\d{1,2})(?:[:.](\d{2}))?(?::(\d{2}))?\s{0,2}([ap])\.?\s?m\b\.?/iu;
const COLON = /(?<![\d:.])(\d{1,2}):(\d{2})(?::(\d{2}))?(?![\d:])/u;
const UHR = /(?<![\d:.])(\d{1,2})(?:[.:](\d{2}))?\s{0,2}Uhr/iu;
/** "17h" alone is as often a length of time; a preposition or the minutes make it a time of day. */
const WITH_H =
  /(?<![\d:.])(?:(?:à|às|vers|alle)\s(\d{1,2})\s?h(?:\s?(\d{2}))?|(\d{1,2})h(\d{2}))(?!\p{L}|\d)/iu;
const EAST_HALF = /(午前|午後|上午|下午|오전|오후)\s?(\d{1,2})\s?(?:[:時点點时시]\s?(\d{1,2})?[分분]?)?/u;
const EAST = /(?<!\d)(\d{1,2})\s?[時点點时시](?![間间간])\s?(?:(\d{1,2})\s?[分분])?/u;
const NAMED = /\b(noon|midnight|mittag|mitternacht|midi|minuit)\b/iu;
const BARE_HOUR = /\b(?:at|um|alle|às)\s(\d{1,2})(?=[\s.,;)]|$)(?!\s?[./:\d])/iu;

export function findTimeOfDay(text: string): TimeText | null {
  const twelve = TWELVE.exec(text);
  if (twelve !== null) {
    const hour = Number(twelve[1]);
    if (hour < 1 || hour > 12) return null;
    const half = (twelve[4] as string).toLowerCase() === 'p' ? 12 : 0;
    return time(twelve, (hour % 12) + half, twelve[2], twelve[3]);
  }
  const eastHalf = EAST_HALF.exec(text);
  if (eastHalf !== null) {
    const afternoon = ['午後', '下午', '오후'].includes(eastHalf[1] as string);
    return time(eastHalf, (Number(eastHalf[2]) % 12) + (afternoon ? 12 : 0), eastHalf[3]);
  }
  const withH = WITH_H.exec(text);
  if (withH !== null) return time(withH, Number(withH[1] ?? withH[3]), withH[2] ?? withH[4]);
  const plain = COLON.exec(text) ?? UHR.exec(text) ?? EAST.exec(text);
  if (plain !== null) return time(plain, Number(plain[1]), plain[2], plain[3]);
  const name = NAMED.exec(text);
  if (name !== null) return time(name, /^(?:noon|mittag|midi)$/i.test(name[1] as string) ? 12 : 0);
  const bare = BARE_HOUR.exec(text);
  if (bare === null) return null;
  const hour = Number(bare[1]);
  const found = time(bare, hour);
  return found && { ...found, eitherHalf: hour >= 1 && hour <= 12 };
}

function time(match: RegExpExecArray, hour: number, minute?: string, second?: string): TimeText | null {
  // 24:00 is how some locales write the end of the day; it is placed by the caller as hour 24.
  if (hour > 24 || Number(minute ?? 0) > 59 || Number(second ?? 0) > 59) return null;
  return {
    index: match.index,
    length: match[0].length,
    hour,
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    eitherHalf: false,
  };
}
