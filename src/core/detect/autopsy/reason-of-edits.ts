/**
 * `reasonOfEdits`: why a failure stays the same, by what the calls did about it: a refused edit, one change made again and again, a call
 * that works with the whole path, a text where a number is meant, a runner that finds no tests.
 */
import { counted } from '../../text/counted.ts';
import { oneOf } from '../../text/one-of.ts';
import { callText, quote } from '../detector.ts';
import { changes } from '../detectors/staleness.ts';
import type { AgentTurn } from '../agent-turn.ts';
import { CHECKED_EDIT } from './last-check.ts';
import { type FindReason, firstReason, outputOf, type Reason } from './find-reason.ts';
import { NOT_THERE, reasonOfRefusedEdit } from './refused-edit.ts';
import { editsFile, mostFrequent } from './repeated-turns.ts';
import { sameLines } from './same-lines.ts';
import { editedPath } from './side-effects.ts';

export const reasonOfEdits: FindReason = (record) =>
  firstReason(record, [reasonOfRefusedEdit, sameChange, wholePath, textForNumber, noTests]);

/** As often the same change must come among the failing ones to be the story. */
const SAME_CHANGE = 3;

/** A tool that changes a file and checks it fails alike again and again: with one change, with a part of it, or with any. */
const sameChange: FindReason = ({ entries, failure: { turn, turns: members, count } }) => {
  if (!editsFile(turn) || NOT_THERE.test(turn.errorLine)) return null;
  const inputs = members.map(({ callStep }) => {
    const call = entries[callStep];
    return call?.type === 'tool_call' ? call.input : '';
  });
  const failed = sameLines(entries, members).slice(0, 2).map(quote).join(' · ') || quote(turn.errorLine);
  const isChecked = CHECKED_EDIT.test(turn.errorLine);
  const [same, times] = mostFrequent(inputs);
  if (same !== null && times >= SAME_CHANGE) return sentAgain(inputs, { same, times, failed, isChecked });
  if (count < SAME_CHANGE || !isChecked) return null;
  const shared = sharedPart(inputs);
  return shared === null ? alwaysOnePlace(inputs, failed) : alwaysInCommon(count, shared, failed);
};

interface SentAgain {
  readonly same: string;
  readonly times: number;
  readonly failed: string;
  readonly isChecked: boolean;
}

function sentAgain(inputs: readonly string[], { same, times, failed, isChecked }: SentAgain): Reason {
  const different = [...new Set(inputs)];
  const others = different.length - 1;
  const change = quote(whatDiffers(same, different));
  const rest = others === 0 ? '' : `; ${counted(others, 'other change')} differed by a word or two`;
  return [
    `the same change was sent ${times} of ${inputs.length} times, and each failed alike: ${change}${rest}. It fails with: ${failed}`,
    isChecked
      ? 'That change does not mend it: do not send it again. Look at the file as it is after it, and at the test that fails.'
      : 'The editor refuses that text: do not send it again. Mend what the refusal names in it, or write the whole file anew.',
  ];
}

function alwaysInCommon(count: number, shared: string, failed: string): Reason {
  return [
    `all ${count} changes have this in common: ${quote(shared)}; and each failed alike: ${failed}`,
    `Leave ${quote(shared)} out: it is in each change that failed. See what the failure says about it, and mend the cause another way.`,
  ];
}

function alwaysOnePlace(inputs: readonly string[], failed: string): Reason {
  const different = [...new Set(inputs)];
  const tried = different.slice(-3).map((input) => quote(whatDiffers(input, different).slice(0, 80)));
  return [
    `${inputs.length} changes of one place were tried, and all fail alike: ${failed}. The last ones: ${tried.join(' · ')}`,
    'Before the next change read the test that fails, and follow it to the code that it calls: that may be another place.',
  ];
}

/** Shorter texts are in any change. */
const SHARED_CHARS = 12;

/** The longest text between quotes, or line, that is in all. */
function sharedPart([first = '', ...others]: readonly string[]): string | null {
  const parts = first.split(/'|"|\\n|\n/).map((part) => part.trim());
  const shared = parts.filter(
    (part) => part.length >= SHARED_CHARS && /\s/.test(part) && others.every((other) => other.includes(part)),
  );
  return shared.reduce<string | null>(
    (long, part) => (part.length > (long?.length ?? 0) ? part : long),
    null,
  );
}

/** What one text has that the others do not have in common with it, up to the quotes or line ends around. */
function whatDiffers(text: string, all: readonly string[]): string {
  if (all.length < 2) return text.slice(-200);
  let from = 0;
  while (from < text.length && all.every((other) => other[from] === text[from])) from++;
  let end = 0;
  while (end < text.length - from && all.every((other) => other.at(-1 - end) === text.at(-1 - end))) end++;
  const begin = /[^'"\n]*$/.exec(text.slice(0, from))?.[0].length ?? 0;
  const rest = /^[^'"\n]*/.exec(text.slice(text.length - end))?.[0].length ?? 0;
  return text.slice(from - begin, text.length - end + rest);
}

/** The call fails with a name and works, right after, with the whole path of it. */
const wholePath: FindReason = ({ entries, turns, failure: { turn, turns: members, count } }) => {
  const pairs = members.flatMap((member) => {
    const next = turns[turns.indexOf(member) + 1];
    if (next === undefined || next.failed || next.tool !== member.tool) return [];
    const words = new Set(member.input.split(/\s+/));
    const longer = next.input.split(/\s+/).find((word) => !words.has(word));
    const name = [...words].find((word) => longer?.endsWith(`/${word}`));
    return longer === undefined || name === undefined ? [] : [{ next, longer, name }];
  });
  const last = pairs.at(-1);
  if (last === undefined || pairs.length * 2 < count || pairs.length < 2) return null;
  return [
    [
      `${turn.tool} failed ${count} times with the name ${last.name} and worked ${pairs.length} times, right after, with the whole path;`,
      `the answers were the same and nothing was done with them: ${quote(outputOf(entries, last.next).trim())}`,
    ].join(' '),
    `Use ${last.longer} from the start. What was searched for is found (${quote(callText(last.next))}): read that place and make the edit.`,
  ];
};

const DIGITS = /(?<![\w'"])(?:'-?\d[\d.]*'|"-?\d[\d.]*")(?!\w)/.source;
const BARE = /(?<![\w'".])-?\d[\d.]*(?![\w'"])/.source;
const AGAINST = /(?:!==?|to (?:be|equal))/.source;
const TEXT_FOR_NUMBER = new RegExp(
  `^.{0,80}(?:${DIGITS} ${AGAINST} ${BARE}|${BARE} ${AGAINST} ${DIGITS}).{0,80}$`,
  'm',
);

/** A check compares a number with a text of digits. */
const textForNumber: FindReason = ({ entries, turns, failure: { turn, turns: members, count } }) => {
  const told = TEXT_FOR_NUMBER.exec(outputOf(entries, turn))?.[0].trim();
  const first = members[0] as AgentTurn;
  if (told === undefined || editsFile(turn)) return null;
  const edited = new Set(
    turns
      .filter((each) => changes(each) && each.step > first.step)
      .map((each) => editedPath(entries, each) ?? ''),
  );
  const where = [...edited].filter((path) => path !== '').join(', ') || 'the code';
  return [
    `one side is a text of digits, the other a number, in all ${count} runs: ${quote(told)}. What is read as text is never made a number`,
    `Find where the value is read (a file, an argument, the environment) and make it a number there, before ${where} computes with it.`,
  ];
};

const NO_TESTS = oneOf(
  /^.*\b(?:no tests? (?:ran|found|were found|to run|collected)|no test files(?: found)?|collected 0 items|ran 0 tests).*$/im,
  /^.*\b(?:0 tests? (?:ran|found|collected|executed)|tests? found: 0|there are no tests to run).*$/im,
);
const RUNNER_CONFIG = /^.*\b(?:configfile|config ?file|testpaths|testMatch|include|pattern)s?\b ?[:=].*$/im;

const noTests: FindReason = ({ entries, turns, failure: { turn, turns: members } }) => {
  const outputs = members.map((member) => outputOf(entries, member));
  const empty = outputs.filter((output) => NO_TESTS.test(output));
  if (empty.length * 2 < outputs.length) return null;
  const config = turns
    .filter(({ kind }) => kind === 'test')
    .map((each) => RUNNER_CONFIG.exec(outputOf(entries, each))?.[0].trim())
    .find((line) => line !== undefined);
  const by = config === undefined ? 'its configuration' : `its configuration (${quote(config)})`;
  const said = NO_TESTS.exec(empty[0] ?? '')?.[0].trim() ?? '';
  return [
    [
      `\`${callText(turn)}\` finds no tests (${quote(said)}), whatever is in the test files:`,
      `their names or places are not what ${by} asks for`,
    ].join(' '),
    [
      'Read the configuration of the runner for the names and folders that it takes, and let it list what it finds',
      '(pytest: `--collect-only`); then rename or move the test file.',
    ].join(' '),
  ];
};
