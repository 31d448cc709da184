/**
 * `reasonOfSameFailure`: why a failure stays the same whatever is edited, where the record shows it: marks of a conflict were left,
 * something rewrites the edited file, or another copy of it runs. Each is read from what the calls did and printed.
 */
import { commandOf } from '../../call-kind.ts';
import { callText, quote } from '../../detector.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { type FindReason, firstReason, type Reason } from './find-reason.ts';
import { flaky } from './flaky-check.ts';
import { generatedFile } from './generated-file.ts';
import { cachedResult, oldValueElsewhere } from './not-reached.ts';
import { reasonElsewhere } from './reason-elsewhere.ts';
import { reasonOfEdits } from './reason-of-edits.ts';
import { rewritten } from './rewritten-file.ts';
import { editsFile, editsWithin } from '../repeated-turns.ts';
import { notBuilt, staleCode } from './stale-code.ts';
import { swapped } from './swapped-failures.ts';

export const reasonOfSameFailure: FindReason = (record) =>
  conflictLeft(record.failure.turn.output) ??
  firstReason(record, [
    flaky,
    generatedFile,
    changedSinceRead,
    reasonOfEdits,
    otherCopy,
    cachedResult,
    swapped,
    rewritten,
    notBuilt,
    staleCode,
    oldValueElsewhere,
    reasonElsewhere,
  ]);

const CONFLICT_MARK = /^(?:E\s|[\s>|\d])*(?:<{7}|>{7}) \S/m;
const PLACE =
  /"?((?:[\w.@+-]*\/)?[\w.@+/-]+\.\w{1,5})"?(?:, line |:)(\d+)(?=[^\n]*\n(?:E\s|[\s>|\d])*(?:<{7}|>{7}) )/;

/** A mark that git leaves where two sides differ stands in what is compiled or run. */
function conflictLeft(output: string): Reason | null {
  if (!CONFLICT_MARK.test(output)) return null;
  const [, file, line] = PLACE.exec(output) ?? [];
  const where = file === undefined ? 'a file' : `${file}, line ${line}`;
  return {
    cause: `the marks of a merge conflict stand in ${where}`,
    startHere: `Open ${where}, keep what both sides need, remove the marks, commit that, and run the check again.`,
  };
}

const CHANGED_SINCE_READ = /\b(?:modified|changed)\b.{0,40}\bsince\b.{0,40}\bread\b|\bchanged on disk\b/i;

/** An edit is refused again and again because the file is no longer as it was read. */
const changedSinceRead: FindReason = ({ turns, failure: { turn } }) => {
  const path = turn.edit?.path;
  if (path === undefined || !CHANGED_SINCE_READ.test(turn.errorLine)) return null;
  const writer = turns.find(
    (each) => each.step < turn.callStep && isProgram(each) && namesFile(each.output, path),
  );
  const named = writer === undefined ? 'a watcher, a formatter, another agent' : `\`${callText(writer)}\``;
  const who = writer === undefined ? 'something' : `what ${named} started`;
  return {
    cause: `${who} may rewrite ${path} between each read and the edit: ${quote(turn.errorLine)}`,
    startHere: `Stop what rewrites the file (${named}), then read it and edit it once.`,
  };
};

const FILE_PATH = /(?:[A-Za-z]:)?[\w.@+-]*(?:\/[\w.@+-]+)+/g;

/** By the folder in which the other copy lies. */
const COPIED_BY: readonly (readonly [RegExp, string])[] = [
  [
    /\/vendor\//,
    'copy it there again (`go mod vendor`, `bundle install`, `composer update`), or build without that folder',
  ],
  [
    /\/(?:dist|build|target|DerivedData)\//,
    'build the package again, so that its output is made from the edited file',
  ],
  [/\/node_modules\//, 'link this tree there (`npm link`, a workspace), or install it again'],
  [/./, 'install this tree in place (for Python `pip install -e .`), or put it first on the search path'],
];

const SETTINGS = /\.(?:toml|ya?ml|json|ini|cfg|conf|env|xml|properties)$|^\.env/;

/** After edits of one file the output names another file with the same name. */
const otherCopy: FindReason = ({ turns, failure: { turn, first } }) => {
  const output = turn.output;
  if (editsFile(turn)) return null;
  const paths = new Set(editsWithin(turns, first.step).flatMap(({ edit }) => edit?.path ?? []));
  for (const path of paths) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const named = [...output.matchAll(FILE_PATH)]
      .map(([found]) => found)
      .filter((found) => found.endsWith(`/${name}`));
    const other = named.find((found) => !isThatFile(turns, path, found));
    const isOne = other !== undefined && named.every((found) => found === other);
    const isItself = named.some((found) => isThatFile(turns, path, found));
    const runs = isOne ? other : isItself ? null : installedCopy(turns, first, path);
    const isEdited = [...paths].some((each) => runs !== null && isThatFile(turns, each, runs));
    if (runs === null || isEdited || turns.some(({ input }) => putsThere(commandOf(input), name))) continue;
    return SETTINGS.test(name)
      ? {
          cause: `the edits are made in ${path}, but what the output names is ${runs}`,
          startHere:
            `Change ${runs}, or let the command read ${path} (an option or a variable names it; mend what keeps it from that); ` +
            `then run \`${callText(turn)}\` again.`,
        }
      : {
          cause: `the edits are made in ${path}, but what the output names is ${runs}: that may be what runs`,
          startHere:
            `Make the check use the edited file: ${COPIED_BY.find(([folder]) => folder.test(runs))?.[1]}; then run the check again. ` +
            'Take back the edits that were made because nothing changed.',
        };
  }
  return null;
};

/** A machine's own folders: a project is worked on elsewhere, unless a call names one. */
const OF_MACHINE = /^\/(?:etc|usr|opt|var|lib|snap|Library)\//;

function isThatFile(turns: readonly RecordedTurn[], path: string, found: string): boolean {
  const [short, long] = [path, found].map((each) => each.replace(/^(?:\.?\/)+/, '')) as [string, string];
  if (short.endsWith(long)) return true;
  const folder = found.slice(0, found.length - short.length);
  const isForeign =
    !path.startsWith('/') && OF_MACHINE.test(folder) && !turns.some(({ input }) => input.includes(folder));
  return long.endsWith(short) && !isForeign;
}

/** A command line copies the file itself to where it is used. */
function putsThere(command: string, name: string): boolean {
  return command
    .split(/&&|[;|\n]/)
    .some((part) => /^\s*(?:sudo )?(?:cp|install|rsync|scp|ln|mv)\b/.test(part) && part.includes(name));
}

const ANY_FOLDER = /^(?:src|lib|app|tests?|main|java|python|packages|)$/;
const INSTALLED =
  /(?:^|\/)(?:site-packages|dist-packages|node_modules|vendor|gems|\.?venv|dist|build|target|DerivedData|\.m2)\//;

/** What a build makes may have the name of the project's folder, and is no copy of that. */
const PACKAGED = /(?:^|\/)(?:site-packages|dist-packages|node_modules|vendor|gems|\.?venv|\.m2)\//;

/** Any later output names the same file of the same folder where packages are installed or built. */
function installedCopy(turns: readonly RecordedTurn[], first: RecordedTurn, path: string): string | null {
  const tail = path.split('/').slice(-2).join('/');
  const outputs = turns
    .filter((turn) => turn.step >= first.step && isProgram(turn))
    .map(({ output }) => output);
  const paths = outputs.flatMap((output) => output.match(FILE_PATH) ?? []);
  const [folder = ''] = tail.split('/');
  const isCopy = (each: string) =>
    each.endsWith(`/${tail}`) ||
    (each.endsWith(`/${folder}`) && !ANY_FOLDER.test(folder) && PACKAGED.test(each));
  return INSTALLED.test(path) ? null : (paths.find((each) => isCopy(each) && INSTALLED.test(each)) ?? null);
}

function isProgram({ kind, waiting }: RecordedTurn): boolean {
  return kind === 'run' || kind === 'test' || kind === 'edit' || waiting !== null;
}

function namesFile(output: string, path: string): boolean {
  return [...output.matchAll(FILE_PATH)].some(
    ([found]) => path.endsWith(found.replace(/^\.?\//, '')) || found.endsWith(`/${path}`),
  );
}
