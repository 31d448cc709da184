/** `findDay`: reads days as people and locales write them. Only the shape is read here; `sentence.ts` places it in time. */

export interface DayText {
  readonly index: number;
  readonly length: number;
  readonly day:
    | { readonly type: 'date'; readonly year: number | null; readonly month: number; readonly day: number }
    /** 3/4/2026: which is the month depends on the writer. */
    | {
        readonly type: 'ambiguous';
        readonly year: number | null;
        readonly first: number;
        readonly second: number;
      }
    /** 0 is Sunday. */
    | { readonly type: 'weekday'; readonly weekday: number }
    | { readonly type: 'relative'; readonly days: number };
}

/** Stems, so that long, short and inflected forms match: Oct, October, Oktober, octobre, octubre, ottobre... */
// biome-ignore format: words stand together
const MONTH_STEMS: readonly string[] = [
  'jan|enero|genn|янв', 'feb|fév|fev|фев', 'mar|mär|мар', 'apr|avr|abr|апр', 'may|mai|magg|мая|май',
  'jun|juin|giu|июн', 'jul|juil|lug|июл', 'aug|aoû|agos|авг', 'sep|sett|setem|сен', 'oct|okt|outu|ott|окт',
  'nov|ноя', 'dec|dez|déc|dic|дек',
];
const WEEKDAY_STEMS: readonly string[] = [
  'sun(?:day)?(?!\\p{L})|sonntag|dimanche|domingo|domenica|воскр|日曜|星期日|周日',
  'mon(?:day)?(?!\\p{L})|lundi|lunes|segunda|luned|понед|月曜|星期一|周一',
  'tue(?:s|sday)?(?!\\p{L})|dienstag|mardi|martes|terça|marted|вторн|火曜|星期二|周二',
  'wed(?:nesday)?(?!\\p{L})|mittwoch|mercredi|miércoles|quarta|mercoled|сред|水曜|星期三|周三',
  'thu(?:rs|rsday)?(?!\\p{L})|donnerstag|jeudi|jueves|quinta|gioved|четв|木曜|星期四|周四',
  'fri(?:day)?(?!\\p{L})|freitag|vendredi|viernes|sexta|venerd|пятн|金曜|星期五|周五',
  'sat(?:urday)?(?!\\p{L})|samstag|samedi|sábado|sabato|субб|土曜|星期六|周六',
];
const LETTERS = '[\\p{Script=Latin}\\p{Script=Cyrillic}]{0,10}\\.?';
const ANY_MONTH = `(?:${MONTH_STEMS.join('|')})${LETTERS}`;
const YEAR = '(?:,?\\s{1,2}(?:de\\s)?(\\d{4}))?';
const NUMBERED = /(?<![\d.:/-])(\d{1,2})([./])(\d{1,2})(?:\2(\d{4}))?\.?(?![\d:])/u;
const MONTH_FIRST = new RegExp(
  `(?<!\\p{L})(${ANY_MONTH})\\s{1,2}(\\d{1,2})(?:st|nd|rd|th)?(?![\\d:])${YEAR}`,
  'iu',
);
const DAY_FIRST = new RegExp(
  `(?<![\\d:])(\\d{1,2})(?:st|nd|rd|th|er|\\.)?\\s{1,2}(?:de\\s|of\\s)?(${ANY_MONTH})${YEAR}`,
  'iu',
);
const EAST = /(?:(\d{4})\s?[年년]\s?)?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日号일]/u;
const ISO_DAY = /(\d{4})-(\d{2})-(\d{2})(?!\d)/;
const WEEKDAY = new RegExp(
  `(?<!\\p{L})(?:${WEEKDAY_STEMS.map((stem) => `(${stem})`).join('|')})${LETTERS}`,
  'iu',
);
const RELATIVE =
  /(?<!\p{L})(?:(today|heute|aujourd.hui|hoy|hoje|oggi|сегодня|今日|今天|오늘)|(tomorrow|morgen|demain|mañana|amanhã|domani|завтра|明日|明天|내일))/iu;

export function findDay(text: string): DayText | null {
  const found = [isoDay(text), east(text), named(text), numbered(text), weekday(text), relative(text)];
  return found.find((day) => day !== null) ?? null;
}

function isoDay(text: string): DayText | null {
  const match = ISO_DAY.exec(text);
  return match && date(match, Number(match[1]), Number(match[2]), Number(match[3]));
}

function east(text: string): DayText | null {
  const match = EAST.exec(text);
  return match && date(match, yearOf(match[1]), Number(match[2]), Number(match[3]));
}

function named(text: string): DayText | null {
  const monthFirst = MONTH_FIRST.exec(text);
  if (monthFirst !== null)
    return date(monthFirst, yearOf(monthFirst[3]), monthOf(monthFirst[1] as string), Number(monthFirst[2]));
  const dayFirst = DAY_FIRST.exec(text);
  return dayFirst && date(dayFirst, yearOf(dayFirst[3]), monthOf(dayFirst[2] as string), Number(dayFirst[1]));
}

function numbered(text: string): DayText | null {
  const match = NUMBERED.exec(text);
  if (match === null) return null;
  const [first, second, year] = [Number(match[1]), Number(match[3]), yearOf(match[4])];
  // 5.30 is a time or a number; a dotted date has its year or its last dot.
  if (match[2] === '.' && year === null && !match[0].endsWith('.')) return null;
  if (match[2] === '.' || first > 12) return date(match, year, second, first);
  if (second > 12) return date(match, year, first, second);
  return { index: match.index, length: match[0].length, day: { type: 'ambiguous', year, first, second } };
}

function weekday(text: string): DayText | null {
  const match = WEEKDAY.exec(text);
  if (match === null) return null;
  const index = match.slice(1).findIndex((group) => group !== undefined);
  return { index: match.index, length: match[0].length, day: { type: 'weekday', weekday: index } };
}

function relative(text: string): DayText | null {
  const match = RELATIVE.exec(text);
  if (match === null) return null;
  return {
    index: match.index,
    length: match[0].length,
    day: { type: 'relative', days: match[1] === undefined ? 1 : 0 },
  };
}

function date(match: RegExpExecArray, year: number | null, month: number, day: number): DayText | null {
  if (month < 1 || month > 12 || day < 1 || day > 31) return null;
  return { index: match.index, length: match[0].length, day: { type: 'date', year, month, day } };
}

function yearOf(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

function monthOf(name: string): number {
  const lower = name.toLowerCase();
  return MONTH_STEMS.findIndex((stems) => stems.split('|').some((stem) => lower.startsWith(stem))) + 1;
}
