/**
 * `giverOf`: the file from which the edited or failing code takes what it uses, and that the run left alone: no call opened it, or it was
 * read and never edited.
 */
import { oneOf } from '../../../text/one-of.ts';
import { editOf } from '../../edit-target.ts';
import { editsWithin } from '../repeated-turns.ts';
import { quote } from '../../detector.ts';
import { editedPaths, isSamePath } from '../side-effects.ts';
import { TEST_FILE } from './switched-off.ts';
import type { FailureRecord } from './find-reason.ts';
import { fileShown, placeShown, shownLines } from './record-facts.ts';

export interface Giver {
  readonly file: string;
  /** The file, the name that comes from it, and the line that says so. */
  readonly told: string;
}

/** Names first, then the file; or the file first, then the names. */
const TAKES = oneOf(
  /^(?:import|export)\s+(?:type\s+)?(?<names>[^'"]{1,120}?)\s+from\s+['"](?<path>\.{1,2}\/[\w./-]+)['"]/,
  /^(?:const|let|var)\s+(?<names2>[^=]{1,120}?)\s*=\s*require\(['"](?<path2>\.{1,2}\/[\w./-]+)['"]\)/,
  /^from\s+(?<path3>\.*\w[\w.]*)\s+import\s+(?<names3>[\w, ()]{1,120})/,
  /^#include\s+"(?<path4>[\w./-]+)"|^require_relative\s+['"](?<path5>[\w./-]+)['"]|^(?:pub )?mod (?<path6>\w+);/,
  /^use crate::(?<path7>\w+)::\{?(?<names7>[\w:, ]{1,80})/,
);
export function giverOf(record: FailureRecord): Giver | null {
  return neverOpened(record) ?? madeElsewhere(record);
}

function neverOpened(record: FailureRecord): Giver | null {
  const { turns, failure } = record;
  const { turn, first, last } = failure;
  const edits = editsWithin(turns, first.step, last.callStep);
  const put = edits.map(({ given }) => editOf(given)?.to ?? '').join('\n');
  for (const shown of shownLines(record)) {
    const groups = TAKES.exec(shown.line)?.groups;
    const file = groups === undefined ? null : fileShown(shown.turn);
    if (groups === undefined || file === null) continue;
    const path = firstOf(groups, 'path');
    const names = firstOf(groups, 'names').match(/\w{2,}/g) ?? [];
    const isKept =
      names.some((name) => new RegExp(`\\b${name}\\b`).test(put)) &&
      edits.some(({ edit }) => edit !== null && isSamePath(edit.path, file));
    if (!isKept && !turn.output.includes(file.slice(file.lastIndexOf('/') + 1))) continue;
    const from = path.startsWith('.') ? besideFile(file, path) : listedAs(record, path);
    const name = from?.slice(from.lastIndexOf('/') + 1) ?? '';
    if (from === null || turns.some(({ kind, input }) => kind !== 'test' && input.includes(name))) continue;
    const gives = names.length === 0 ? '' : `, which gives \`${names[0]}\``;
    return { file: from, told: `${from}${gives} (${placeShown(shown)}) and which no call opened` };
  }
  return null;
}

const MAKES =
  /\b(?:create (?:or replace )?(?:view|table|function|procedure|trigger|type)|def|func|fn|function|class|struct|const)\s+(\w{4,})/i;
/** A line that only takes a name from elsewhere, or says something about the code, makes nothing. */
const MAKES_NOTHING =
  /^(?:\/\/|#(?!define)|\*|\/\*|--|import\b|from\b|use\b)|=\s*(?:await )?(?:require|import)\(/;

/** A name that the edited code uses is made in another file, which was read and not edited. */
function madeElsewhere(record: FailureRecord): Giver | null {
  const { turns, failure } = record;
  const edits = editsWithin(turns, 0, failure.last.callStep);
  const edited = editedPaths(edits);
  const lines = shownLines(record).flatMap((shown) => {
    const file = fileShown(shown.turn);
    return file === null ? [] : [{ shown, file, isEdited: edited.some((path) => isSamePath(path, file)) }];
  });
  const used = [
    ...edits.map(({ given }) => editOf(given)?.to ?? ''),
    ...lines.filter(({ isEdited }) => isEdited).map(({ shown }) => shown.line),
  ];
  const words = new Set(used.join('\n').match(/\w{4,}/g));
  const made = lines.find(
    ({ shown, file, isEdited }) =>
      !isEdited &&
      !TEST_FILE.test(file) &&
      !MAKES_NOTHING.test(shown.line) &&
      words.has(MAKES.exec(shown.line)?.[1] ?? ''),
  );
  if (made === undefined) return null;
  const place = placeShown(made.shown);
  return {
    file: place,
    told: `${place} (\`${quote(made.shown.line)}\`), which they use and which no edit touched`,
  };
}

function firstOf(groups: Readonly<Record<string, string | undefined>>, key: string): string {
  return (
    Object.entries(groups).find(([name, value]) => name.startsWith(key) && value !== undefined)?.[1] ?? ''
  );
}

/** `./a`, `../b/c` and, in Python, `.a`, `..b.c`, seen from a file; the ending is that of the file unless it is written. */
function besideFile(file: string, path: string): string {
  const parts = path.includes('/')
    ? path.split('/')
    : path
        .replace(/^\./, './')
        .replace(/\.(?=\.)/g, '../')
        .split(/[/.](?=\w)/);
  const folder = file.split('/').slice(0, -1);
  for (const part of parts) {
    if (part === '..') folder.pop();
    else if (/\w/.test(part)) folder.push(part);
  }
  const whole = folder.join('/');
  return /\.\w{1,4}$/.test(whole) ? whole : `${whole}${/\.\w+$/.exec(file)?.[0] ?? ''}`;
}

/** As a listing showed it, or as a path of an output. */
function listedAs({ turns, failure }: FailureRecord, path: string): string | null {
  const name = path
    .replace(/\.h(?:pp)?$/, '')
    .split(/[/.]/)
    .at(-1);
  const file = new RegExp(`(?<![\\w.-])((?:[\\w.@-]+/)*${name}\\.(?!test|spec)[a-z]{1,4})(?![\\w.])`);
  const shown = turns
    .filter(({ step }) => step < failure.last.step)
    .map(({ output }) => file.exec(output)?.[1]);
  return shown.find((each) => each !== undefined) ?? null;
}
