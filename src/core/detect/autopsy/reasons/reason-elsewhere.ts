/**
 * `reasonElsewhere`: why a call fails again and again, where another place of the record tells more than the failure: a question that the
 * program asks, a program that is not installed, a module of another language or in another environment, a table or an output that was
 * never made, two failures that take turns, what another output shows or explains, what the program itself says beside its error.
 */
import { firstGroupIn, groupIn } from '../../../text/group-in.ts';
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { outputsOf, type RecordedTurn } from '../recorded-turn.ts';
import { errorSaid, type FindReason, firstReason } from './find-reason.ts';
import { accessRefused } from './access-refused.ts';
import { absentProgram, missingLibrary, tellAbsent } from './absent-program.ts';
import { differsOnlyIn } from './differs-only-in.ts';
import { emptyValue } from './empty-value.ts';
import { inDependency } from './in-dependency.ts';
import { nearName } from './near-name.ts';
import { neverEnds, waitsForAnswer, staysOpen } from './never-ends.ts';
import { editsFile } from '../repeated-turns.ts';
import { neverThere } from './never-there.ts';
import { noNetwork } from './no-network.ts';
import { otherFolder, redBefore } from './not-its-own.ts';
import { broughtTwice, otherPort, otherValue } from './other-value.ts';
import { expired, otherVersion } from './out-of-date.ts';
import { heldByOwn } from './own-process.ts';
import { passedBefore } from './passed-before.ts';
import { fileShown, placeShown, shownLines } from './record-facts.ts';
import { twoForms } from './swapped-failures.ts';
import { explainedBefore, removedStill, shownElsewhere, valueElsewhere } from './told-before.ts';
import { toldByTool, toldPlainly } from './told-by-tool.ts';
import { unreachable } from './ways-out.ts';

export const reasonElsewhere: FindReason = (record) => firstReason(record, REASONS);

const MODULE =
  /no module named ['"]?([\w./-]{1,200})|cannot find (?:module|package) ['"]([^'"\n]{1,200})['"]/i;

// biome-ignore format: a table
const LANGUAGES: Readonly<{ [ending: string]: string }> = {
  java: 'Java', kt: 'Kotlin', scala: 'Scala', go: 'Go', rs: 'Rust', cs: 'C#', swift: 'Swift', cpp: 'C++',
};
const SOURCE_FILE = /[\w.@+-]*(?:\/[\w.@+-]+)*\/(\w+)\.(java|kt|scala|go|rs|cs|swift|cpp)\b/g;

/** A script imports what is a source file of another language. */
const otherLanguage: FindReason = ({ turns, failure }) => {
  const names = new Set(
    failure.turns.flatMap((turn) => groupIn(MODULE, turn.output)?.split(/[./]/).at(-1) ?? []),
  );
  if (names.size === 0) return null;
  for (const turn of turns)
    for (const [path, name = '', ending = ''] of turn.output.matchAll(SOURCE_FILE))
      if (names.has(name))
        return [
          `${path} is ${LANGUAGES[ending]}, and \`${callText(failure.turn)}\` cannot import that, whatever the name`,
          `Write the check in ${LANGUAGES[ending]}, beside the project's other tests, and run it with the project's own tool.`,
        ];
  return null;
};

const INSTALLED =
  /\b(?:successfully installed|requirement already satisfied|already installed|installed|added)\b/i;
const RUNNER = /(?:^|\s)(\S*\/(?:bin|Scripts)\/(?:python|node|ruby|php|perl)[\d.]*)(?=\s)/;

/** What is missing was installed, and is missing still: the check runs in another environment. */
const installedElsewhere: FindReason = ({ turns, failure }) => {
  const name = groupIn(MODULE, failure.turn.output)?.split(/[./]/)[0]?.toLowerCase();
  const { last } = failure;
  if (name === undefined || name === '') return null;
  const install = turns.find(
    (turn) =>
      !turn.failed &&
      turn.step < last.callStep &&
      turn.output.split('\n').some((line) => INSTALLED.test(line) && line.toLowerCase().includes(name)),
  );
  if (install === undefined) return null;
  const runner = RUNNER.exec(` ${commandOf(last.input)}\n${last.output}`)?.[1];
  const where = runner === undefined ? '' : `, which is ${runner}`;
  const how = runner?.includes('python') === true ? ` (\`${runner} -m pip install ${name}\`)` : '';
  return [
    `${name} is installed by \`${callText(install)}\`, but not where \`${callText(last)}\` runs${where}`,
    `Install it for the program that runs the check${how}, or run the check with the program that has it.`,
  ];
};

const NAME_IN_CAPITALS = /\b[A-Z][A-Z0-9]*_[A-Z0-9_]+\b/g;
const SAYS_UNSET =
  /\bKeyError: ?['"][A-Z]|\b[A-Z]+_[A-Z_]+\b.{0,40}\b(?:not set|unset|undefined|missing|required|not defined|unbound)\b/;
const SETS_ALONE = /^(?:export|source|\.|set -a)\s/;

/** A variable was set in a call of its own, and each call has a shell of its own; or it stands in a file that nothing loads. */
const setElsewhere: FindReason = (record) => {
  const { turn: failing, last } = record.failure;
  const { turns } = record;
  const missing = last.output.split('\n').filter((line) => SAYS_UNSET.test(line));
  const names = new Set([last.errorLine, ...missing].flatMap((line) => line.match(NAME_IN_CAPITALS) ?? []));
  const set = turns.find((turn) => {
    const line = commandOf(turn.input);
    const isSetting =
      !turn.failed && turn.step < last.callStep && SETS_ALONE.test(line) && !/&&|;/.test(line);
    return (
      isSetting &&
      turn.output.trim() === '' &&
      ([...names].some((name) => line.includes(name)) || (names.size > 0 && !line.startsWith('export ')))
    );
  });
  const [name] = names;
  if (name === undefined) return null;
  const check = callText(failing);
  const inFile =
    missing.length === 0
      ? undefined
      : shownLines(record).find(({ turn, line }) => isSetIn(turn, line, names));
  if (set === undefined)
    return inFile === undefined
      ? null
      : [
          `${errorSaid(record)}: it is set in ${placeShown(inFile)}, and nothing that the record shows loads that file for \`${check}\``,
          `Load it in the same call: \`set -a; . ${withFolder(fileShown(inFile.turn) ?? '')}; set +a; ${check}\`; ` +
            'or let the program read that file.',
        ];
  return [
    `${name} was set by \`${callText(set)}\` in a call of its own: each call has a shell of its own, so \`${check}\` never saw it`,
    `Set it in the same call: \`${name}=VALUE ${check}\`, or \`set -a; . ./.env; ${check}\`.`,
  ];
};

/** `NAME=value` at the beginning of a line of a file. */
function isSetIn(turn: RecordedTurn, line: string, names: ReadonlySet<string>): boolean {
  const name = /^(?:export )?([A-Z][A-Z0-9_]+)=\S/.exec(line)?.[1];
  return name !== undefined && names.has(name) && fileShown(turn) !== null;
}

/** A shell looks for a bare name on its path. */
function withFolder(path: string): string {
  return path.includes('/') ? path : `./${path}`;
}

const BUILT_FILE =
  /(?<![\w.-]|node_modules\/[\w@./-]{0,80})((?:dist|build|out|lib|target)\/[\w./-]*\.(?:[cm]?js|d\.ts|class|jar|so|wasm|css))\b/;
const BUILDS =
  /\b(?:build|compile|bundle|tsc(?![^|;&]* --(?:noEmit|trace|list|show))|webpack|rollup|esbuild|make|cargo|gradlew?|mvnw?)\b/i;

/** The check uses an output that is built from the edited files, and nothing built it since. */
const notBuilt: FindReason = ({ turns, failure }) => {
  const { first, last } = failure;
  const edited = turns.find((turn) => changes(turn) && turn.edit !== null && turn.step > first.step);
  const isSame = failure.turns.filter(({ result }) => result === failure.turn.result).length >= SAME_RESULTS;
  const path = edited?.edit?.path;
  if (edited === undefined || path === undefined || !isSame || editsFile(failure.turn)) return null;
  const isBuilt = turns.some(
    (turn) => turn.step > edited.step && turn.step <= last.step && BUILDS.test(commandOf(turn.input)),
  );
  const built = firstGroupIn(BUILT_FILE, outputsOf(turns.filter(({ step }) => step < last.step)));
  if (isBuilt || built === undefined || path.includes(built.slice(0, built.indexOf('/') + 1))) return null;
  return [
    `the edits are in ${path}, but what runs may be the built ${built}: no call built it since`,
    'Build first (the `build` script of the project), then run the check; let the check build by itself.',
  ];
};

const SAME_RESULTS = 3;
/** What the failing call needs is not on the machine. */
const notInstalled: FindReason = ({ turns, failure: { turn } }) => {
  const missing = absentProgram(turns, [turn]);
  return missing === null ? null : tellAbsent(turns, missing);
};

const NO_TABLE = oneOf(
  /\brelation "([\w.]+)" does not exist|\bno such (?:table|column): ([\w.]+)/i,
  /\btable '?([\w.]+)'? (?:doesn't|does not) exist|\bunknown column '([\w.]+)'|\bcolumn "?([\w.]+)"? does not exist/i,
);
const MIGRATES =
  /\bmigrat|\bdb:(?:\w+:)?(?:prepare|setup|push|reset|load)|\bdb push\b|\balembic upgrade|\bflyway\b/i;
const MIGRATION_FILE = /migrat/i;

/** What the check misses in the database is made by a migration of this run that was never run. */
const notMigrated: FindReason = ({ turns, failure }) => {
  const table = groupIn(NO_TABLE, failure.turn.output)?.split('.').at(-1);
  if (table === undefined) return null;
  const written = turns.findLast(
    (turn) => changes(turn) && turn.edit !== null && MIGRATION_FILE.test(turn.edit.path),
  );
  const isRun = turns.some(
    (turn) =>
      !turn.failed &&
      turn.step > (written?.step ?? 0) &&
      turn.edit === null &&
      MIGRATES.test(commandOf(turn.input)),
  );
  const path = written?.edit?.path;
  if (path === undefined || isRun) return null;
  return [
    `${table} is made by ${path}, and no migration was run since that was written`,
    'Run the migrations on the database that the check uses, then the check; take back what was changed for this failure.',
  ];
};

const REASONS: readonly FindReason[] = [
  notInstalled,
  heldByOwn,
  otherPort,
  noNetwork,
  unreachable,
  expired,
  neverThere,
  redBefore,
  otherFolder,
  broughtTwice,
  missingLibrary,
  staysOpen,
  waitsForAnswer,
  accessRefused,
  otherLanguage,
  twoForms,
  otherVersion,
  differsOnlyIn,
  inDependency,
  emptyValue,
  toldPlainly,
  passedBefore,
  neverEnds,
  installedElsewhere,
  setElsewhere,
  notMigrated,
  notBuilt,
  valueElsewhere,
  shownElsewhere,
  removedStill,
  explainedBefore,
  otherValue,
  nearName,
  toldByTool,
];
