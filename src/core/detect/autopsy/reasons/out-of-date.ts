/**
 * `expired`: what is checked ended at a date that the record shows. `otherVersion`: a line asks for one version and names another, or one
 * version made what another cannot take.
 */
import { counted } from '../../../text/counted.ts';
import { callText, quote } from '../../detector.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, type FailureRecord, type FindReason, thenRun, errorSaid } from './find-reason.ts';
import { factsAbout, placeShown, shownLines, tellFacts } from './record-facts.ts';

const EXPIRED = /\bexpired\b|\w+Expired\b|["'`]exp["'`] claim|\bnot valid after\b/i;
const END_KEY = String.raw`\b(?:exp|expires?(?:[_ ]?(?:at|on))?|expiry|expiration(?:[_ ]?date)?|not[ _]?after|valid[_ ]?(?:until|to))`;
/** The seconds since 1970, or words with a year in them. */
const END = new RegExp(
  END_KEY +
    String.raw`["']?\s*[=:]\s*["']?(?:(\d{10}|\d{13})\b|([\w :,.+-]{0,24}\b20\d\d\b[\w :,.+-]{0,24}))`,
  'i',
);
/** A record without times begins at 0. */
const HAS_TIME = 1e12;

export const expired: FindReason = (record) => {
  const { turn, first } = record.failure;
  if (editsFile(turn) || !EXPIRED.test(turn.output)) return null;
  const now = first.startedAt >= HAS_TIME ? first.startedAt : Infinity;
  const found = shownLines(record).flatMap((shown) => {
    const [, number, words] = END.exec(shown.line) ?? [];
    const at = number === undefined ? Date.parse(words ?? '') : Number(number.padEnd(13, '0'));
    return at < now ? [{ shown, at }] : [];
  });
  const [end] = found.toSorted((a, b) => a.at - b.at);
  if (end === undefined) return null;
  const day = new Date(end.at).toISOString().slice(0, 10);
  const today = now === Infinity ? '' : `, and the run is of ${new Date(now).toISOString().slice(0, 10)}`;
  const place = `${placeShown(end.shown)}: \`${quote(end.shown.line)}\``;
  const vain = editedInVain(record);
  const maker = makerOf(record);
  return [
    `it may have expired on ${day} (${place})${today}: ${errorSaid(record)}` +
      `${vain === '' ? '' : `. The edits of ${vain} did not change that`}`,
    `Make it anew with a later end (${maker ?? placeShown(end.shown)}), or, in a test, let the clock stand before ${day}; ` +
      thenRun(record),
  ];
};

const MAKER =
  /(?<![\w-])[\w./-]*?(?:mk|make|gen(?:erate)?|renew|issue|create|refresh|sign)[-_]?(\w{3,20}?)s?\.(?:sh|py|[jt]s|rb|pl)\b/gi;

/** A script that was listed and is named after what it makes. */
function makerOf(record: FailureRecord): string | null {
  const text = record.failure.turn.output.toLowerCase();
  const makers = shownLines(record).flatMap(({ line }) => [...line.matchAll(MAKER)]);
  return makers.find(([, made = '']) => text.includes(made.toLowerCase()))?.[0] ?? null;
}

const NUMBER = String.raw`v?(\d+(?:\.\d+)+)`;
const ASKS = new RegExp(
  String.raw`(?:requires?|required|needs?|expected|wants?|must be|at least|minimum|supports?|>=)[^\d\n]{0,40}?${NUMBER}`,
  'i',
);
const HAS = new RegExp(
  String.raw`(?:running|found|got|current(?:ly)?|installed|have|has|using|actual|but)\b[^\d\n]{0,40}?${NUMBER}`,
  'i',
);
const ABOUT_VERSION = /\bversions?\b|\brequires?\b|\bengines?\b|\btoolchain\b|\bincompatible\b|>=/i;
const SETTING = /\b[A-Z][A-Z0-9_]{3,}=[\w.-]+/;

export const otherVersion: FindReason = (record) => {
  const { turn, count } = record.failure;
  if (editsFile(turn)) return null;
  const pairs = turn.output.split('\n').flatMap((line) => {
    const [asked, has] = [ASKS.exec(line), HAS.exec(line)];
    const isPair = isOlder(has?.[1] ?? '', asked?.[1] ?? '');
    return asked !== null && has !== null && isPair && ABOUT_VERSION.test(line)
      ? [{ line, asked: asked[1] as string, has: has[1] as string }]
      : [];
  });
  const [pair] = pairs;
  if (pair === undefined) return madeForOther(record);
  const { line, asked, has } = pair;
  const vain = editedInVain(record);
  const facts = factsAbout(record, [asked, has]);
  const set = facts.length === 0 ? '' : `, or change who asks for the other (${tellFacts(facts)})`;
  const setting = SETTING.exec(line)?.[0];
  const kept =
    setting === undefined
      ? ''
      : ` The line names a setting, \`${setting}\`, that holds it there: without that the tool may fetch what it needs.`;
  return [
    `${asked} is asked for and ${has} is there, in ${counted(count, 'run')}: ${quote(line)}` +
      `${vain === '' ? '' : `; the edits of ${vain} did not change that`}`,
    `Let \`${callText(turn)}\` run with ${asked} (install it or switch to it; a person does, if the run may not)${set}; ` +
      `${thenRun(record)}${kept}`,
  ];
};

const MISFIT =
  /\b(?:wrong|different|incompatible|unsupported|mismatched|more recent|newer|older)\b.{0,60}\bversions?\b|\bversion mismatch\b/i;
const TAKES =
  /\b(?:should be|up to|expected(?: version)?(?: is)?|requires?|supports?|at most|maximum)\b[^\d\n]{0,50}?(\d+(?:\.\d+)*)/i;
/** A sentence may go over as many lines. */
const LINES = 3;
/** A class file counts from the first Java on. */
const FIRST_JAVA = 44;

/** Something was made with one version and meets another that does not take it. */
const madeForOther: FindReason = (record) => {
  const { turn, count } = record.failure;
  const lines = turn.output.split('\n').map((line) => line.trim());
  const at = lines.findIndex((line, index) => {
    const near = lines.slice(index, index + LINES).join(' ');
    return MISFIT.test(line) && TAKES.test(near) && numbersIn(near).length > 1;
  });
  if (at < 0) return null;
  const said = lines.slice(at, at + LINES).join(' ');
  const end = TAKES.exec(said) as RegExpExecArray;
  const told =
    numbersIn(lines[at] ?? '').length > 1 ? (lines[at] as string) : said.slice(0, end.index + end[0].length);
  const takes = end[1] as string;
  const made = numbersIn(told).find((number) => number !== takes);
  if (made === undefined) return null;
  const named = (number: string) =>
    /class file/i.test(told) ? `Java ${Number.parseInt(number, 10) - FIRST_JAVA} (${number})` : number;
  const facts = tellFacts(factsAbout(record, [named(takes).replace(/^Java (\d+).*$/, '$1.')]));
  const vain = editedInVain(record);
  return [
    `two versions do not fit: ${named(made)} was used to make it, and what runs takes ${named(takes)}, in ${counted(count, 'run')}: ` +
      `${quote(told)}${facts === '' ? '' : `. ${facts}`}${vain === '' ? '' : `; the edits of ${vain} change neither`}`,
    `Run \`${callText(turn)}\` with ${named(made)}, or take a release of it that is made for ${named(takes)}, or build it anew here; ` +
      thenRun(record),
  ];
};

function numbersIn(text: string): readonly string[] {
  return [...new Set(text.match(/(?<![\w./-])\d+(?:\.\d+)*(?![\w/-])/g))];
}

function isOlder(a: string, b: string): boolean {
  const [ofA, ofB] = [a, b].map((version) => version.split('.').map(Number)) as [number[], number[]];
  const at = ofB.findIndex((part, index) => part !== (ofA[index] ?? 0));
  return at >= 0 && (ofA[at] ?? 0) < (ofB[at] ?? 0);
}
