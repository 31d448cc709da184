/**
 * `diagnoseQuestion`: asks what failed in an output and why. Pure: the same output, status and mark make the same prompt. The check takes
 * only what the record proves: `checkDiagnoseAnswer`.
 */
import {
  FAILURE_CLASS_NAMES,
  FAILURE_CLASSES,
  type FailureClass,
} from '../vocabulary/classes/failure-class.ts';
import { wholeWords } from '../text/few-names.ts';
import { printable } from '../diagnose/lines/clean-line.ts';
import { checkDiagnoseAnswer, type DiagnoseAnswer } from './diagnose-check.ts';
import { failureExtract } from './failure-extract.ts';
import { type OpinionQuestion, promptOf } from './opinion-question.ts';
import type { ReadFailure } from './read-failure.ts';

/** With the definitions a prompt stays under 12,000, mostly under 8,000 characters. */
const EXTRACT_CHARS = 4_700;
const COMMAND_CHARS = 300;
const CANDIDATES = 4;
const CANDIDATE_CHARS = 140;

const TASK = [
  'A command was run, and its output is below. Say what failed and why, as a careful engineer would after reading it, or ' +
    'that nothing failed, or that the text does not tell.',
  'The classes:',
  ...FAILURE_CLASS_NAMES.filter((name) => FAILURE_CLASSES[name].definition !== undefined).map(
    (name) => `${name}: ${FAILURE_CLASSES[name].definition}`,
  ),
  'success: nothing failed, or what failed was handled, ignored or retried with a good end; also a listing, a help text ' +
    'or a log that is only shown',
  'Where two classes fit:',
  '- The first cause counts, not what followed from it or the last line. A test, a build or a program that fails because ' +
    'a package is missing, a service is down, a variable is unset, access is refused or memory is used up has the class of ' +
    'that cause.',
  '- An HTTP status tells the class of the program that it stops; the sentence beside it outranks the number: a 403 that ' +
    'names a used-up quota or credits is budget_exhausted.',
  '- A third-party name that is not found is missing_dependency; an own (relative) one is build_failure, test_failure or ' +
    'runtime_error by who looked for it.',
  '- If a test run did take place and tests failed, it is test_failure, even if the failing test met a crash or an ' +
    'exception. If the run could not begin because the code does not compile, it is build_failure.',
  '- Exit code 0 does not prove success where a pipe or `|| true` hides the code: a visible failure keeps its class.',
  '- Alarming words in commands, paths, test names, configurations or in code that is shown say nothing.',
];

const FORM = [
  '"class": one of the names above,',
  '"cause": "one sentence: the cause, with the file, symbol, test, package, host, path or limit that it names",',
  '"quote": "the part of one line of the output that states this cause best, copied character by character, 8 to 300 ' +
    'characters, without the line number and without […]. Not a command, a banner, or a line that only says that something ' +
    'failed, if another line says why. Empty only for success or unknown",',
  '"recoverable": true if a coding agent could mend it in the repository, or waiting and trying again could; false if a ' +
    'person must act (a login, rights, a purchase, the machine, an installation, a decision between conflicting contents),',
  '"next_step": "one sentence: what to do or look at next",',
  '"confidence": your probability that the class is right, 0 to 1',
];

export function diagnoseQuestion(read: ReadFailure, mark: string): OpinionQuestion<DiagnoseAnswer> {
  const prompt = promptOf({
    task: TASK,
    facts: factsOf(read),
    material: [
      { title: 'What the command was', text: commandOf(read) },
      { title: 'What rules found, as candidates that may all be wrong', text: candidatesOf(read) },
      {
        title: 'The output, each line with its number; parts are left out',
        text: failureExtract(read, EXTRACT_CHARS),
      },
    ].filter(({ text }) => text !== ''),
    form: FORM,
    mark,
  });
  return { kind: 'diagnose', prompt, check: (reply) => checkDiagnoseAnswer(reply, read) };
}

/** What the mark of the question is made from. */
export function failureMaterial({ original, status }: ReadFailure): readonly [string, string] {
  return [original.map(({ raw }) => raw).join('\n'), status.command ?? ''];
}

function factsOf({ status, lines, inStep }: ReadFailure): readonly string[] {
  const ended =
    typeof status.signal === 'string' && status.signal !== ''
      ? `It was ended by the signal ${printable(status.signal).slice(0, 20)}.`
      : typeof status.exitCode === 'number'
        ? `Its exit code was ${status.exitCode}.`
        : 'Its exit code is not known.';
  const judged = lines.filter((_, at) => inStep[at]);
  const [from, to] = [judged[0]?.number, judged.at(-1)?.number];
  const step =
    judged.length === lines.length || from === undefined
      ? ''
      : ` By its structure, the step that failed stands in lines ${from} to ${to}: others may only explain it.`;
  const count = lines.at(-1)?.number ?? 0;
  return [`${ended} It has ${count} ${count === 1 ? 'line' : 'lines'}.${step}`];
}

function commandOf({ status, step }: ReadFailure): string {
  const rows = [
    ...(status.command ? [wholeWords(printable(status.command), COMMAND_CHARS)] : []),
    ...(step.command !== null && step.command !== status.command
      ? [`in the step that failed: ${wholeWords(printable(step.command), COMMAND_CHARS)}`]
      : []),
  ];
  return rows.join('\n');
}

function candidatesOf({ findings, rules }: ReadFailure): string {
  const rows: string[] = [];
  const seen = new Set<FailureClass | 'success'>();
  const add = (type: FailureClass | 'success', line: number | null, text: string): void => {
    if (seen.has(type) || rows.length >= CANDIDATES) return;
    seen.add(type);
    rows.push(
      line === null
        ? type
        : `${type}, by line ${line}: ${wholeWords(printable(text).trim(), CANDIDATE_CHARS)}`,
    );
  };
  const [blamed] = rules.evidence;
  add(rules.failureType, blamed?.line ?? null, blamed?.text ?? '');
  for (const { failureClass, line } of findings) add(failureClass, line.number, line.shown);
  return rows.join('\n');
}
