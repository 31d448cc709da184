/**
 * `classSigns`: what speaks for a class besides the words of a model: the kind of the quoted line, the exit code, what ran in the step,
 * what the rules found there. `NEEDS_PERSON`: whether a class is one that a person mends.
 */
import { readCommand } from '../diagnose/command/command-line.ts';
import { readExit } from '../diagnose/command/exit-status.ts';
import { ROLES_OF_CLASS, WORK_CLASSES_ALIKE } from '../lexicon/class-signs.ts';
import { FAILED_COUNT } from '../text/failed-count.ts';
import { FAILURE_CLASSES, type FailureClass } from '../vocabulary/classes/failure-class.ts';
import { type ReadFailure, isNearFailureLine } from './read-failure.ts';

type Answered = FailureClass | 'success';

/** The rules are that sure of a guess at most. */
const GUESS = 0.8;
export function NEEDS_PERSON(type: Answered): boolean {
  return type !== 'success' && !FAILURE_CLASSES[type].recoverable;
}

export function classSigns(type: Answered, at: number | null, read: ReadFailure): readonly string[] {
  return type === 'success' ? successSigns(read) : failureSigns(type, at, read);
}

function failureSigns(type: FailureClass, at: number | null, read: ReadFailure): readonly string[] {
  const { findings, roles, rules, status, step } = read;
  const signs: string[] = [];
  const line = at === null ? undefined : read.lines[at];
  const own = findings.find(({ index }) => index === at);
  if (own?.failureClass === type && own.recogniser !== null) signs.push('the quoted line says so');
  const command = readCommand(step.command ?? status.command);
  const exit = readExit(status.exitCode, status.signal, command);
  if (exit.failureClass === type) signs.push(exit.words);
  if (rules.failureType === type) signs.push('the rules read it so too');
  const spoke = ROLES_OF_CLASS[type]?.find((role) => roles.has(role));
  if (spoke !== undefined && fitsRole(type, at, read)) signs.push(`a program of the kind ${spoke} failed`);
  const other = findings.find(
    ({ failureClass, recogniser, index }) => failureClass === type && recogniser !== null && index !== at,
  );
  if (other !== undefined) signs.push(`line ${other.line.number} says so too`);
  if (type === 'test_failure' && line !== undefined && FAILED_COUNT.test(line.text))
    signs.push('a runner counts failed tests');
  // Which program failed is all that tells these apart, and the same is done about each of them.
  const isGuess =
    WORK_CLASSES_ALIKE.has(rules.failureType) &&
    rules.confidence < GUESS &&
    (own?.recogniser ?? null) === null;
  if (WORK_CLASSES_ALIKE.has(type) && isGuess && at !== null && isNearFailureLine(read, at))
    signs.push('the rules only guess by what ran');
  return signs;
}

/** The words of a cause from outside (a refused connection) in a test's output are no sign of a failing test. */
function fitsRole(type: FailureClass, at: number | null, { findings }: ReadFailure): boolean {
  const own = findings.find(({ index }) => index === at);
  return own === undefined || own.recogniser === null || own.failureClass === type;
}

/** Words of success in an output may be anybody's. */
function successSigns({ status, step, rules }: ReadFailure): readonly string[] {
  const command = readCommand(step.command ?? status.command);
  const hasFailed =
    (typeof status.exitCode === 'number' && status.exitCode !== 0) ||
    (typeof status.signal === 'string' && status.signal !== '');
  if (hasFailed) return [];
  const signs: string[] = [];
  if (status.exitCode === 0 && !command.hidesExit) signs.push('exit code 0');
  if (step.exitCode === 0) signs.push('the log says that it ended well');
  if (command.onlyReads || command.asksHelp) signs.push('the command only shows what exists');
  if (rules.failureType === 'success') signs.push('the rules read it so too');
  return signs;
}
