/** `differsOnlyIn`: what a check expects and what it gets differ in one way alone, and that way tells what is wrong. */
import { comparisonAt } from '../../../text/comparison.ts';
import { callText, quote } from '../../detector.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, type FailureRecord, type FindReason, thenRun } from './find-reason.ts';
import { giverOf } from './giver-of.ts';
import { placeShown, shownLines } from './record-facts.ts';

/** `setBy`: lines that decide it. */
interface Difference {
  readonly how: string;
  readonly setBy: RegExp;
}

type Pair = readonly [expected: string, actual: string];

/** The surest first. */
const DIFFERENCES: readonly ((pair: Pair) => Difference | null)[] = [
  inZone,
  (pair) =>
    alike(
      pair,
      (text) => text.replace(/\\[rnt]|\s/g, ''),
      'in white space or line ends',
      /eol|crlf|\\r|trim|strip|indent/i,
    ),
  (pair) =>
    alike(
      pair,
      (text) => text.toLowerCase(),
      'in upper and lower case',
      /lower|upper|capital|\bcase\b|collat/i,
    ),
  (pair) =>
    alike(
      pair,
      (text) => partsOf(text).toSorted().join(' '),
      'in the order of the same parts',
      /sort|order|keys|reverse|compar/i,
    ),
  (pair) =>
    alike(pair, unescaped, 'in marks that are escaped in one of the two', /escape|encode|decode|quote|safe/i),
  (pair) =>
    alike(
      pair,
      (text) => text.normalize('NFD').replace(/\p{M}/gu, ''),
      'in accents',
      /normali[sz]e|encod|charset|utf|latin/i,
    ),
  byNumber,
];

export const differsOnlyIn: FindReason = (record) => {
  const { turn, turns: members, count } = record.failure;
  const pair = editsFile(turn) ? null : comparedIn(turn.output);
  if (pair === null || members.filter(({ output }) => output.includes(pair[1])).length * 2 < members.length)
    return null;
  const found = DIFFERENCES.map((find) => find(pair)).find((each) => each !== null);
  return found === undefined || found === null ? null : tell(record, pair, found, count);
};

function tell(record: FailureRecord, [expected, actual]: Pair, { how, setBy }: Difference, count: number) {
  const { turn } = record.failure;
  const lines = shownLines(record).filter(({ line }) => setBy.test(line));
  const set = lines.slice(0, 2).map((each) => `${placeShown(each)}: \`${quote(each.line)}\``);
  const unread = giverOf(record);
  const vain = editedInVain(record);
  const where = [...set, ...(unread === null ? [] : [unread.told])];
  const then = vain === '' ? `then run \`${callText(turn)}\` once.` : thenRun(record);
  return [
    `\`${callText(turn)}\` expects \`${quote(expected)}\` and gets \`${quote(actual)}\` in ${count} runs: the two differ only ${how}` +
      `${where.length === 0 ? '' : `. That is probably decided in ${where.join('; or in ')}`}` +
      `${vain === '' ? '' : `. The edits of ${vain} did not move it`}`,
    where.length === 0
      ? `Find the line that decides this (${how.replace(/^by /, '')}), on the way of the value to the check, and change that; ${then}`
      : `Look at ${unread?.file ?? set[0]} and change there what the check asks for; ${then}`,
  ] as const;
}

/** A block of a diff whose heads say which side is which. */
const DIFF =
  /^\s*-+ ?Expected\b.*\n\s*\++ ?(?:Actual|Received)\b.*\n(?:\s*@@.*\n|\s*\n)*\s*-\s*(\S.*)\n\s*\+\s*(\S.*)$/m;

function comparedIn(output: string): Pair | null {
  const [, expected, actual] = DIFF.exec(output) ?? [];
  if (expected !== undefined && actual !== undefined) return [bare(expected), bare(actual)];
  const lines = output.split('\n').map((line) => ({ text: line.trim().replace(/^# +/, '') }));
  const at = lines.findIndex(({ text }) => /\b(?:assert\w*|expect\w*|want|left)\b/i.test(text));
  const found = at < 0 ? null : comparisonAt(lines, at);
  return found === null ? null : [bare(found.expected), bare(found.actual)];
}

function bare(value: string): string {
  return value.trim().replace(/^(['"`])(.*)\1,?$/, '$2');
}

function alike([a, b]: Pair, form: (text: string) => string, how: string, setBy: RegExp): Difference | null {
  const isText = /[a-z]/i.test(a) && a !== b;
  return isText && form(a) !== '' && form(a) === form(b) ? { how, setBy } : null;
}

function partsOf(text: string): readonly string[] {
  return text.split(/[\s,;&?|[\]{}()]+/).filter((part) => part !== '');
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const ENCODED = /=\?[\w-]+\?q\?([^?]*)\?=/gi;

function unescaped(text: string): string {
  const plain = text
    .replace(ENCODED, '$1')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replace(/\\(?=["'\\/])/g, '');
  try {
    return decodeURIComponent(plain.replace(/[=%]([\dA-F]{2})/g, '%$1'));
  } catch {
    return plain;
  }
}

const HOUR = 3_600_000;
/** No two zones are further apart. */
const WIDEST = 26 * HOUR;
const TIME = /^(\d{4}-\d\d-\d\d)?[T ]?(\d\d?:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;

/** Zones lie whole or half hours apart. */
function inZone([expected, actual]: Pair): Difference | null {
  const [a, b] = [momentOf(expected), momentOf(actual)];
  const apart = Math.abs((a ?? 0) - (b ?? 0));
  if (a === null || b === null || expected === actual || apart > WIDEST || apart % (HOUR / 2) !== 0)
    return null;
  return {
    how: `by ${apart === 0 ? 'the zone in which the same moment is written' : `exactly ${apart / HOUR} h`}, as two time zones do`,
    setBy: /time_?zone|\bTZ\b|\btz\w*\b|\b(?:America|Europe|Asia|Africa|Australia)\/\w/i,
  };
}

function momentOf(text: string): number | null {
  const [, day, time = '', zone] = TIME.exec(text) ?? [];
  const at = Date.parse(
    `${day ?? '2000-01-01'}T${time.padStart(time.length < 6 ? 5 : 8, '0')}${zone ?? 'Z'}`,
  );
  return Number.isNaN(at) ? null : at;
}

/** Units of money, time and memory. */
const FACTORS = [10, 100, 1000, 1024, 60, 3600, 24, 1e6];
/** Below this share of the value only the last digits of a floating number differ. */
const ROUNDED = 1e-9;

const NUMBER = /-?\d+(?:\.\d+)?/g;

/** The only number of each text, where the rest of both is the same. */
function byNumber([expected, actual]: Pair): Difference | null {
  const [ones, twos] = [expected.match(NUMBER) ?? [], actual.match(NUMBER) ?? []];
  const [a, b] = [Number(ones[0]), Number(twos[0])];
  if (ones.length !== 1 || twos.length !== 1 || expected.replace(NUMBER, '') !== actual.replace(NUMBER, ''))
    return null;
  if (a === b || a === 0 || b === 0) return null;
  const factor = FACTORS.find(
    (each) => Math.abs(a / b - each) < ROUNDED * each || Math.abs(b / a - each) < ROUNDED * each,
  );
  if (factor !== undefined)
    return {
      how: `by the factor ${factor}, as two units of the same thing do`,
      setBy: new RegExp(`(?<![\\d.])${factor}(?!\\d)|cent|percent|milli|micro|bytes|seconds|minutes`, 'i'),
    };
  if (Math.abs(a - b) < ROUNDED * Math.abs(a))
    return { how: 'in the last digits of a floating number', setBy: /round|toFixed|approx|close/i };
  return null;
}
