/**
 * `reasonOfPlace`: why edits leave a failure as it is, by the place that the diagnosis names and by what the record shows of the names in
 * it: the edits are elsewhere, in the test alone, in the settings of a build, or in the place itself.
 */
import type { FailureClass } from '../../../vocabulary/classes/failure-class.ts';
import type { Diagnosis } from '../../../vocabulary/diagnosis.ts';
import { counted } from '../../../text/counted.ts';
import { withErrorLine } from '../autopsy-cause.ts';
import { callText, quote } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editsFile, editsWithin } from '../repeated-turns.ts';
import { editedPaths, isSamePath } from '../side-effects.ts';
import { ALREADY_THERE, LOCAL_MODULE } from './advice-by-error.ts';
import type { FailureRecord, Reason } from './find-reason.ts';
import { innermostCause } from '../../deepest-line.ts';
import { TRACEBACK } from '../../error-line.ts';
import { factsShown, lineAt } from './facts-shown.ts';
import { giverOf } from './giver-of.ts';
import { factsAbout, longerName, namesOfThings, tellFacts } from './record-facts.ts';
import { TEST_FILE } from './switched-off.ts';

const BARE_STATUS = /^exit code:? -?\d+\.?$/i;
const SOURCE = /\.(?:c|cc|cpp|h|hpp|py|[cm]?[jt]sx?|rb|go|java|kt|rs|cs|php|swift|scala|exs?)$/;
/** So many edits of a test alone are no way to write it. */
const TEST_EDITS = 3;
/** Where builds put what they make. */
const BUILT = /(?:^|\/)(?:dist|build|out|lib|target)\//;
/** What a machine, a network or an account answers. */
const NOT_IN_CODE: ReadonlySet<FailureClass> = new Set(['network_failure', 'auth_failure']);

/** `advice`: what the words of the error alone tell to do. */
export function reasonOfPlace(
  record: FailureRecord,
  diagnosis: Diagnosis,
  advice: string | null,
): Reason | null {
  const { turns, failure } = record;
  const { turn, first, last, count } = failure;
  const { failureType, category } = diagnosis;
  if (count < 2 || failureType === 'success' || editsFile(turn)) return null;
  const edits = editsWithin(turns, first.step, last.callStep);
  const paths = editedPaths(edits);
  const named = paths.slice(0, 3).join(', ');
  const [file, row] = placeOf(record, diagnosis);
  const { file: outer, row: outerRow } = diagnosis.subject ?? { file: '', row: 0 };
  const rootCause = diagnosis.rootCause.replace(
    `(${outer}:${outerRow})`,
    `(${file || outer}:${row || outerRow})`,
  );
  const inner = innermostCause(turn.output);
  const cause = (
    inner !== null
      ? quote(inner)
      : failureType === 'unknown' || BARE_STATUS.test(rootCause)
        ? `\`${callText(turn)}\` failed ${count} times: ${quote(turn.errorLine)}`
        : withErrorLine(rootCause, turn.errorLine)
  ).replace(/\.+$/, '');
  const code = lineAt(turns, file, row);
  const where = row > 0 ? `${file}, line ${row}${code === '' ? '' : ` (\`${quote(code)}\`)`}` : file;
  const stands = code === '' ? '' : `. It fails at \`${quote(code)}\``;
  const known = advice === null ? '' : `${advice} `;
  const then = `then run \`${callText(turn)}\` once.`;
  if (edits.length === 0 || named === '') return null;
  const done = `${counted(edits.length, 'edit')} of ${named}`;
  const isSame = (path: string) =>
    path.endsWith(file.replace(/^(?:\.?\/)+/, '')) || file.endsWith(path.replace(/^\.\//, ''));
  const names = namesOfThings(turn.errorLine);
  const ofError = factsShown(record, turn.errorLine).filter(({ line }) => line !== code);
  const facts = ofError.length > 0 ? ofError : factsAbout(record, dataFilesIn(turn.output));
  const told = tellFacts(facts);
  const also = alsoNamed(turns, turn.output, [...paths, file]);
  const giver = giverOf(record)?.told;
  const given = giver === undefined ? '' : `, and at ${giver},`;
  const look =
    also !== ''
      ? `Open ${also}, which the output names and no call opened`
      : giver !== undefined
        ? `Look at ${giver}: what ${where} meets may be made there`
        : `Look at ${where}: say what that line needs, and which other line has to give it`;
  const shown = told === '' ? '' : `. The record shows what it names: ${told}${longerName(facts, names)}`;
  if (file === '' || failureType === 'unknown')
    return told === '' || category === 'environment'
      ? null
      : [
          `${cause}. ${done} did not change that in ${count} runs${shown}`,
          `${known}Look at ${told} and what stands around it before the next edit: the failure is about that; ${then}`,
        ];
  if (ALREADY_THERE.test(turn.errorLine))
    return [
      `${cause}. ${done} left it as it is in ${count} runs: probably what an earlier run made is still there`,
      `Look at what is there (the file, the table, its rows) and remove it, or let ${named} skip it; ${then}`,
    ];
  if (NOT_IN_CODE.has(failureType))
    return [
      `${cause}. That is not in the code: ${done} cannot mend it`,
      `${diagnosis.humanInstructions ?? diagnosis.suggestedActions[0] ?? ''} Take back what was changed for it in ${named}.`.trim(),
    ];
  if (BUILT.test(file) && LOCAL_MODULE.test(turn.errorLine))
    return [
      `${cause}. ${done} did not change that in ${count} runs: ${file} is built, and the name stands in it as in the source${shown}`,
      'The build does not rewrite that name, and what runs does not read the settings of the build. Write a relative path, or add what ' +
        `resolves the name when it runs (a step after the build, a loader, the package's imports); ${then}`,
    ];
  const sources = sourcesRead(turns);
  if (sources !== '' && edits.length >= TEST_EDITS && paths.every((path) => TEST_FILE.test(path)))
    return [
      `${cause}. All ${edits.length} edits are in ${named}, and ${count} runs fail alike: nothing changed in what it tests (${sources})`,
      `Look in ${sources} how the code does what the test waits for or replaces (what it imports, what it asks for), and let the two ` +
        'agree on exactly that; another wait or another form of the same line in the test does not help.',
    ];
  if (paths.some(isSame))
    return [
      `${cause}. ${done} left it as it is in ${count} runs: what they change does not decide it${stands}${shown}`,
      told === ''
        ? `${known}${look}; ${then}`
        : `${known}Look at ${told}${given} before the next edit of ${where}; ${then}`,
    ];
  if (!TEST_FILE.test(file))
    return category === 'environment'
      ? null
      : [
          `${cause}. It fails in ${file}, and no edit touched that: ${done} did not change it in ${count} runs${shown}`,
          told === ''
            ? `${known}Open ${where}: see what the failure needs there, and whether ${named} can give it at all; ${then}`
            : `${known}Look at ${told} and what stands around it: what ${where} meets is decided there; ${then}`,
        ];
  const name = file.slice(file.lastIndexOf('/') + 1);
  const isRead = turns.some(({ input, kind }) => kind !== 'test' && input.includes(name));
  const unread = isRead ? '' : `Open ${where}, which was never read, and follow where the value comes from. `;
  return [
    `${cause}. ${done} did not change that in ${count} runs: probably they say the same in other words, ` +
      `or do not reach what the test looks at (a copy, another object, ${giver ?? 'an input of another kind'})`,
    `${unread}${giver === undefined ? '' : `Look at ${giver}. `}Print in ${named} what goes in and what comes out while ` +
      `\`${callText(turn)}\` runs; edit where it first is wrong.`,
  ];
}

/** The files that an output names and that are no source: what the program reads. */
function dataFilesIn(output: string): readonly string[] {
  const paths = output.match(/(?<![\w./-])[\w@-][\w@./-]*\/[\w@.-]+\.[a-z]{2,5}\b/g) ?? [];
  return [...new Set(paths.filter((path) => !SOURCE.test(path)))];
}

/** The files of the program that were read, without tests, the last ones. */
function sourcesRead(turns: readonly RecordedTurn[]): string {
  const read = turns.flatMap((turn) => (turn.kind === 'read' ? (editOf(turn.given)?.path ?? []) : []));
  return [...new Set(read.filter((path) => SOURCE.test(path) && !TEST_FILE.test(path)))].slice(-3).join(', ');
}

/** The place of the failure; of calls that are listed from the inside out, the innermost of the project. */
function placeOf(
  { turns, failure: { turn } }: FailureRecord,
  { subject }: Diagnosis,
): readonly [file: string, row: number] {
  const [file, row] = [subject?.file ?? '', subject?.row ?? 0];
  const frames = placesIn(turn.output).filter(([path]) => isKnown(turns, path));
  // A library fails with what the project gave it: the frame of the project next to it.
  if (!isOfProject(turns, file) || (frames.length > 0 && !isKnown(turns, file)))
    return (turn.output.includes(TRACEBACK) ? frames.at(-1) : frames[0]) ?? ['', 0];
  const below = turn.output.slice(turn.output.indexOf(turn.errorLine));
  const places = placesIn(below);
  const own = places.findIndex(([path, at]) => at === row && isSamePath(path, file));
  const root = places[own]?.[0].slice(0, -file.length) ?? '';
  const [inner, at] = places.find(([path]) => path.startsWith(root) && path.includes('/')) ?? [file, row];
  return own <= 0 || turn.output.includes(TRACEBACK) ? [file, row] : [inner.slice(root.length), at];
}

/** The places of the project that an output names with a line. */
function placesIn(output: string): readonly (readonly [path: string, row: number])[] {
  const named = [
    ...output.matchAll(/(?<![\w./-])(\/?[\w@-][\w@./-]*\.[a-z]{1,4})(?::(?:line )?|", line )(\d+)/g),
  ];
  const places = named.map(([, path = '', row]) => [path, Number(row)] as const);
  return places.filter(([path]) => SOURCE.test(path) && !OUTSIDE.test(path) && !TEST_FILE.test(path));
}

/** The file of a library is named without its folder, and nothing in the record but the failure knows it. */
function isOfProject(turns: readonly RecordedTurn[], file: string): boolean {
  return file.includes('/') || TEST_FILE.test(file) || isKnown(turns, file);
}

function isKnown(turns: readonly RecordedTurn[], file: string): boolean {
  const name = file.slice(file.lastIndexOf('/') + 1);
  return turns.some(
    ({ failed, input, output }) => input.includes(name) || (!failed && output.includes(name)),
  );
}

const OUTSIDE = /(?:^|\/)(?:node_modules|site-packages|vendor|\.cargo|\.gradle|usr)\//;
const PLACES = 2;

/** The other places of the project that the output names with a line, and no call opened. */
function alsoNamed(turns: readonly RecordedTurn[], output: string, known: readonly string[]): string {
  const places = placesIn(output).filter(([path]) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const isOpened = turns.some(
      ({ kind, input }) => kind !== 'test' && kind !== 'run' && input.includes(name),
    );
    return !isOpened && !known.some((each) => each.endsWith(name));
  });
  return [...new Set(places.map(([path, row]) => `${path}, line ${row}`))].slice(0, PLACES).join(' and ');
}
