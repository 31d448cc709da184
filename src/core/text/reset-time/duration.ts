/** `findDuration`: reads lengths of time as programs and people write them: `6m0s`, `1.5 seconds`, "5 days 22 hours and 11 minutes". */
import { inOrder } from '../in-order.ts';

const UNITS: readonly (readonly [ms: number, names: string])[] = [
  [1, 'milliseconds?|msecs?|ms|Millisekunden?'],
  [604_800_000, 'weeks?|wochen?|semaines?|semanas?|settiman[ae]|недел[юьи]|週間|周|주'],
  [
    86_400_000,
    'days?|tagen?|tage|tag|jours?|d[ií]as?|giorn[oi]|dagen|dag|дн(?:я|ей)|день|日間|天|일(?! ?\\d{0,2}시)|d',
  ],
  [3_600_000, 'hours?|hrs?|stunden?|std|heures?|horas?|or[ae]|uur|час(?:а|ов)?|小时|小時|時間|시간|h'],
  [60_000, 'minutes?|minuten|mins?|minutos?|minut[oi]|минут[уы]?|分钟|分鐘|分間|分|분|m'],
  [1_000, 'seconds?|secondes?|sekunden?|secs?|segundos?|second[oi]|seconden|секунд[уы]?|秒|초|s'],
];
/** Words that end a unit in alphabets with spaces; "5 months" must not read as five minutes. */
const END = '(?![\\p{Script=Latin}\\p{Script=Cyrillic}])';
const AMOUNT = '(\\d{1,9}(?:\\.\\d{1,9})?)';
const UNIT = `(?:${UNITS.map(([, names]) => `(${names})`).join('|')})${END}`;
const JOINT = '(?:\\s{0,2}(?:,|and|und|et|y|e|en|и)?\\s{0,2})';
const FIRST = new RegExp(`${AMOUNT}\\s{0,2}${UNIT}`, 'iu');
const NEXT = new RegExp(`^${JOINT}${AMOUNT}\\s{0,2}${UNIT}`, 'iu');
const SINGLE = inOrder(
  /\b(?:an?|one|eine[rm]?|une|una|um|uma)\s{1,2}/iu,
  [/(second|sekunde|seconde)|(minuten?|minuto)|(hour|stunde|heure|hora|ora)|(day|tag|jour|d[ií]a|giorno)/iu],
  /\b/iu,
);
const SINGLE_MS = [1_000, 60_000, 3_600_000, 86_400_000];
/** More parts than units there are is not a duration. */
const MAX_PARTS = 6;

export interface FoundDuration {
  readonly ms: number;
  readonly index: number;
  readonly source: string;
}

export function findDuration(text: string): FoundDuration | null {
  const first = FIRST.exec(text);
  if (first === null) return findSingle(text);
  let ms = partMs(first);
  let end = first.index + first[0].length;
  for (let parts = 1; parts < MAX_PARTS; parts++) {
    const next = NEXT.exec(text.slice(end, end + 60));
    if (next === null) break;
    ms += partMs(next);
    end += next[0].length;
  }
  return { ms, index: first.index, source: text.slice(first.index, end) };
}

function findSingle(text: string): FoundDuration | null {
  const match = SINGLE.exec(text);
  if (match === null) return null;
  const unit = SINGLE_MS[match.slice(1).findIndex((group) => group !== undefined)] ?? 0;
  return { ms: unit, index: match.index, source: match[0] };
}

function partMs(match: RegExpExecArray): number {
  const unit = UNITS[match.slice(2).findIndex((group) => group !== undefined)];
  return Number(match[1]) * (unit?.[0] ?? 0);
}
