/**
 * `reasonElsewhere`: why a call fails again and again, where another place of the record tells more than the failure: a program that is not
 * installed or asks something, a module of another language or in another environment, a right, a network or a version that is missing.
 */
import { groupIn } from '../../../text/group-in.ts';
import { commandOf } from '../../call-kind.ts';
import { callText } from '../../detector.ts';
import { type FindReason, firstReason } from './find-reason.ts';
import { accessRefused } from './access-refused.ts';
import { absentProgram, missingLibrary, tellAbsent } from './absent-program.ts';
import { neverEnds, waitsForAnswer, staysOpen } from './never-ends.ts';
import { noNetwork } from './no-network.ts';
import { redBefore } from './red-before.ts';
import { otherVersion } from './other-version.ts';
import { heldByOwn } from './own-process.ts';
import { shownElsewhere } from './shown-elsewhere.ts';
import { endedServer, unreachable } from './ways-out.ts';

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
  const missing = failure.turns.map(({ output }) => groupIn(MODULE, output)?.split(/[./]/).at(-1) ?? '');
  for (const turn of missing.some((name) => name !== '') ? turns : [])
    for (const [path, name = '', ending = ''] of turn.output.matchAll(SOURCE_FILE))
      if (missing.filter((each) => each === name).length * 2 >= missing.length)
        return {
          cause: `${path} is ${LANGUAGES[ending]}, and \`${callText(failure.turn)}\` cannot import that`,
          startHere: `Write the check in ${LANGUAGES[ending]}, beside the project's other tests, and run it with the project's own tool.`,
        };
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
  return {
    cause: `${name} was installed by \`${callText(install)}\`, and \`${callText(last)}\` does not find it: it may run elsewhere${where}`,
    startHere: `Install it for the program that runs the check${how}, or run the check with the program that has it.`,
  };
};

/** What the failing call needs is not on the machine. */
const notInstalled: FindReason = ({ turns, failure: { turn } }) => {
  const missing = absentProgram(turns, [turn]);
  return missing === null ? null : tellAbsent(turns, missing);
};

const REASONS: readonly FindReason[] = [
  notInstalled,
  heldByOwn,
  noNetwork,
  unreachable,
  endedServer,
  redBefore,
  missingLibrary,
  staysOpen,
  waitsForAnswer,
  accessRefused,
  otherLanguage,
  otherVersion,
  neverEnds,
  installedElsewhere,
  shownElsewhere,
];
