/**
 * `otherPort`: nothing listens where the calls ask, and the record shows that it listens on another port. `otherValue`: two files that were
 * shown set the same key to two values, and the failure names one of them, or the one is a part of the other. `broughtTwice`: two packages
 * bring the same thing.
 */
import { quote } from '../../detector.ts';
import { editsFile, editsWithin } from '../repeated-turns.ts';
import { isSamePath } from '../side-effects.ts';
import { NOT_REACHED } from '../unreachable-server.ts';
import { editedInVain, type FailureRecord, type FindReason, thenRun, errorSaid } from './find-reason.ts';
import { fileShown, placeShown, type ShownLine, shownLines } from './record-facts.ts';

const ASKED = /(?:[a-z][\w.-]*|\d+(?:\.\d+){3}|\]):(\d{2,5})\b(?!:\d)|\bport\W{1,3}(\d{2,5})\b/i;
/** One port outside, another inside. */
const MAPPED = /(?<![\d.:])(?:[\d.]{7,15}:)?(\d{2,5}):(\d{2,5})(?=["'\s/]|$)|:(\d{2,5})->(\d{2,5})\b/;
const LISTENS =
  /\b(?:listen\w*|serv(?:es|ing)|port|bind|bound|ready|available|started|address)\b[^\d\n]{0,40}(?:[\d.]{7,15}:)?(\d{2,5})\b/i;

export const otherPort: FindReason = (record) => {
  const { turn } = record.failure;
  const line = turn.output.split('\n').find((each) => NOT_REACHED.test(each) && ASKED.test(each));
  const found = line === undefined ? null : ASKED.exec(line);
  const port = found?.[1] ?? found?.[2];
  if (editsFile(turn) || port === undefined || isEdited(record, port)) return null;
  const shown = shownLines(record);
  const number = new RegExp(`(?<![\\d.])${port}(?!\\d)`);
  const mapped = shown.flatMap((each) => {
    const [, out = '', inside = '', outer = out, inner = inside] = MAPPED.exec(each.line) ?? [];
    return inner === port && outer !== port ? [{ each, other: outer }] : [];
  });
  const asking = shown.find((each) => number.test(each.line) && !MAPPED.test(each.line));
  const listening = shown.flatMap((each) => {
    const other = LISTENS.exec(each.line)?.[1];
    const isElsewhere = asking === undefined || placeOfAll(each) !== placeOfAll(asking);
    return other !== undefined && other !== port && isElsewhere ? [{ each, other }] : [];
  });
  const [right] = mapped.length > 0 ? mapped : listening;
  const isOne = new Set(listening.map(({ other }) => other)).size === 1;
  if (right === undefined || (mapped.length === 0 && (!isOne || asking === undefined))) return null;
  const { each, other } = right;
  const vain = editedInVain(record);
  const asks = asking === undefined ? '' : `, as ${told(asking)} says`;
  const where = asking === undefined ? 'where the address is set' : `in ${told(asking)}`;
  return [
    `nothing listens on port ${port}, where the calls ask${asks}: what is there listens on ${other} (${told(each)})` +
      `${vain === '' ? '' : `; the edits of ${vain} change neither`}`,
    `Change ${port} to ${other} ${where}, or let the server listen on ${port}; ${thenRun(record)}`,
  ];
};

/** An edit took the value away or put it there: the record no longer shows what stands. */
function isEdited({ turns, failure: { last } }: FailureRecord, value: string): boolean {
  return editsWithin(turns, 0, last.callStep).some(
    ({ edit, given }) => edit !== null && given.includes(value),
  );
}

function placeOfAll({ turn }: ShownLine): string {
  return fileShown(turn) ?? `${turn.step}`;
}

function told(shown: ShownLine): string {
  return `${placeShown(shown)}: \`${quote(shown.line)}\``;
}

const SETS =
  /^(?:- |export |set )?["']?([A-Za-z][\w.-]{1,40})["']?\s*(?::|=>?)\s*["']?([\w./:@+-]{3,80})["']?[,;]?$/;
/** Each file has its own. */
const OF_EACH =
  /^(?:name|version|id|type|kind|description|image|title|path|src|dest|label|key|value|from|to|main|module)$/i;
const REFUSES =
  /\b(?:no|not|unknown|invalid|cannot|denied|mismatch|missing|refused|does not exist|failed)\b/i;
const PARTS = /[-_./:]/;

export const otherValue: FindReason = (record) => {
  const { turn } = record.failure;
  if (editsFile(turn)) return null;
  const settings = shownLines(record).flatMap((shown) => {
    const [, key = '', value = ''] = SETS.exec(shown.line) ?? [];
    return key === '' || OF_EACH.test(key) ? [] : [{ shown, key, value }];
  });
  for (const same of Map.groupBy(settings, ({ key }) => key.toLowerCase()).values()) {
    const values = [...Map.groupBy(same, ({ value }) => value).values()];
    const [a, b] = values.map(([first]) => first);
    if (a === undefined || b === undefined || values.length !== 2) continue;
    const isApart = placeOfAll(a.shown) !== placeOfAll(b.shown);
    if (!isApart || isEdited(record, a.value) || isEdited(record, b.value)) continue;
    const names = (value: string) => REFUSES.test(turn.errorLine) && wordIn(turn.errorLine, value);
    const isNamed = names(a.value) !== names(b.value);
    if (!isNamed && !(isPart(a.value, b.value) && [a, b].some(({ shown }) => isOfEdits(record, shown))))
      continue;
    const [wrong, right] = names(b.value) || (!isNamed && isOfEdits(record, a.shown)) ? [b, a] : [a, b];
    const vain = editedInVain(record);
    return [
      `${isNamed ? '' : 'probably '}two values of \`${wrong.key}\` do not agree: ${told(wrong.shown)}, but ${told(right.shown)}. ` +
        `The failure: ${errorSaid(record)}${vain === '' ? '' : `; the edits of ${vain} change neither`}`,
      `Let both say the same: ${wrong.key} in ${placeShown(wrong.shown)} from ${wrong.value} to ${right.value}, unless the other is the ` +
        `wrong one; ${thenRun(record)}`,
    ];
  }
  return null;
};

function wordIn(text: string, value: string): boolean {
  return text.split(/[^\w./:@+-]+/).some((word) => word.replace(/[.:]+$/, '') === value);
}

function isPart(a: string, b: string): boolean {
  const [short, long] = [a, b].sort((x, y) => x.length - y.length) as [string, string];
  return !/^\d/.test(short) && PARTS.test(long) && long.split(PARTS).includes(short);
}

function isOfEdits({ turns, failure: { first, last } }: FailureRecord, { turn }: ShownLine): boolean {
  const file = fileShown(turn);
  return (
    file !== null &&
    editsWithin(turns, first.step, last.callStep).some(
      ({ edit }) => edit !== null && isSamePath(edit.path, file),
    )
  );
}

const PACKAGE = String.raw`(\S+(?: \(\S+\))?)`;
const TWICE = new RegExp(
  `\\bduplicate (?:class|symbol|resource|type|file) (\\S+) (?:is )?(?:found |defined )?in (?:modules )?${PACKAGE} and ${PACKAGE}`,
  'i',
);
const COORDINATES = /\(([\w.-]+):([\w.-]+)(?::[\w.-]+)?\)/;

export const broughtTwice: FindReason = (record) => {
  const { turn } = record.failure;
  const [, what, one = '', other = ''] = TWICE.exec(turn.output) ?? [];
  if (what === undefined || editsFile(turn)) return null;
  const lines = shownLines(record);
  const declared = (name: string) => {
    const [, group, module] = COORDINATES.exec(name) ?? [];
    return lines.find(({ line }) => line.includes(module === undefined ? name : `${group}:${module}:`));
  };
  const out = declared(other) === undefined ? other : one;
  const [, group, module] = COORDINATES.exec(out) ?? [];
  const kept = declared(out === one ? other : one);
  const how = module === undefined ? '' : ` (Gradle: \`exclude group: '${group}', module: '${module}'\`)`;
  const vain = editedInVain(record);
  return [
    `${what} is brought twice, by ${one} and by ${other}${kept === undefined ? '' : `; ${told(kept)}`}` +
      `${vain === '' ? '' : `. The edits of ${vain} leave both in`}`,
    `Leave one of the two out: exclude ${out} from what brings it${how}, or take versions that agree; ${thenRun(record)}`,
  ];
};
