/**
 * `reasonOfEdits`: why a failure stays the same, by what the calls did about it: a refused edit, changes that are alike, a runner that
 * finds no tests.
 */
import { firstGroupIn } from '../../../text/group-in.ts';
import { counted } from '../../../text/counted.ts';
import { oneOf } from '../../../text/one-of.ts';
import { callText, quote } from '../../detector.ts';
import { editOf } from '../../edit-target.ts';
import { CHECKED_EDIT } from '../transcript-reading.ts';
import { listedIn } from '../page-shown.ts';
import { type FailureRecord, type FindReason, firstReason } from './find-reason.ts';
import { NOT_THERE, reasonOfRefusedEdit } from './refused-edit.ts';
import { inRecord } from '../other-results.ts';
import { editsFile } from '../repeated-turns.ts';
import { sameLines } from '../same-lines.ts';

export const reasonOfEdits: FindReason = (record) =>
  firstReason(record, [reasonOfRefusedEdit, sameChange, noTests]);

/** As many changes must fail alike to be the story, or as often one of them where an editor only refuses it. */
const FAILING_CHANGES = 3;
const SHOWN_CHANGES = 3;

/** A tool that changes a file, and checks it or refuses, fails alike again and again: what the changes were, and what they share. */
const sameChange: FindReason = (record) => {
  const { turn } = record.failure;
  if (!editsFile(turn) || NOT_THERE.test(turn.errorLine)) return null;
  const members = inRecord(record.turns, record.failure).turns;
  const inputs = members.map(({ given }) => given);
  const different = [...Map.groupBy(inputs.map(newText), (parts) => parts.join(' ⏎ '))].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const isChecked = CHECKED_EDIT.test(turn.output);
  const often = isChecked ? members.length : (different[0]?.[1].length ?? 0);
  if (often < FAILING_CHANGES) return null;
  const listed = different
    .slice(0, SHOWN_CHANGES)
    .map(([text, same]) => `\`${quote(text)}\`${same.length === 1 ? '' : ` (${same.length} times)`}`);
  const only =
    different.length < members.length
      ? `, ${counted(different.length, 'different one')} but for comments`
      : '';
  const shared = different.length === 1 ? null : sharedPart(different.map(([, [parts = []]]) => parts));
  const common = shared === null ? '' : `; \`${quote(shared)}\` is in all of them`;
  const [stood = '', kept] = sameAsBefore(record, inputs) ?? [];
  const failed = sameLines(members).slice(0, 2).map(quote).join(' · ') || quote(turn.errorLine);
  const which = different.length > SHOWN_CHANGES ? 'The most frequent are' : 'They are';
  return {
    cause: `${members.length} changes failed alike${only}: ${failed.replace(/\.+$/, '')}. ${which}: ${listed.join(' · ')}${common}${stood}`,
    startHere: isChecked
      ? (kept ?? otherChange(different.length > SHOWN_CHANGES ? null : shared))
      : REFUSED_TEXT,
  };
};

const REFUSED_TEXT =
  'The editor refuses that text: do not send it again. Mend what the refusal names in it, or write the whole file anew.';

function otherChange(shared: string | null): string {
  return shared === null
    ? 'Do not send these changes again, nor others like them. Read the test that fails, ' +
        'follow it to the code that it calls, and change that: it may be another place.'
    : `Leave \`${quote(shared)}\` out: it is in each change that failed. Read what the failure says, and mend the cause another way.`;
}

/** Keys, names and paths have no space in them. */
const SENTENCE = /\S\s+\S/;
const QUOTED = /(['"])((?:\\.|(?!\1)[^\\])*)\1/g;
const COMMENT = /\s*(?:\/\/|(?<=\s)#\s).*$|\/\*.*?\*\//;

/** What a change puts in, line by line, without comments: its new text, the texts among its arguments, or all of it. */
function newText(input: string): readonly string[] {
  const given = input.startsWith('{') ? [...input.matchAll(QUOTED)].map(([, , text = '']) => text) : [input];
  const parts = [editOf(input)?.to ?? given]
    .flat()
    .flatMap((text) => text.split(/\\n|\n/))
    .filter((part) => SENTENCE.test(part))
    .map((part) => part.replace(COMMENT, '').trim())
    .filter((part) => part !== '');
  return parts.length === 0 ? [input.slice(-200)] : parts;
}

/** The longest part that is in all changes. */
function sharedPart([first = [], ...others]: readonly (readonly string[])[]): string | null {
  const shared = first.filter((part) => others.every((other) => other.some((each) => each.includes(part))));
  return shared.reduce<string | null>(
    (long, part) => (part.length > (long?.length ?? 0) ? part : long),
    null,
  );
}

const NEAR_LINES = 3;
const IS_COMMENT = /^(?:\/\/|\/?\*|#|--|;)\s*\S/;

/** A line with its number as a call before showed it, which a change to that line puts there again; and what to do instead. */
function sameAsBefore(
  { turns, failure }: FailureRecord,
  inputs: readonly string[],
): readonly [told: string, next: string] | null {
  const sent = new Map(inputs.map((input) => [newText(input).join(), input]));
  for (const turn of turns.filter(({ step }) => step < failure.first.callStep)) {
    const lines = listedIn(turn.output);
    const same = lines.find(([row, line]) => new RegExp(`\\b${row}\\b`).test(sent.get(line) ?? ''));
    if (same === undefined) continue;
    const [row, line] = same;
    const comment = lines.find(([at, text]) => at < row && row - at <= NEAR_LINES && IS_COMMENT.test(text));
    const told = comment === undefined ? '' : ` Line ${comment[0]} says of it: "${quote(comment[1])}".`;
    return [
      `; line ${row} was \`${quote(line)}\` when it was shown, so that one of them changes nothing there`,
      `That change leaves line ${row} as it was.${told} Read what the test asks for, and call what does that.`,
    ];
  }
  return null;
}

const NO_TESTS = oneOf(
  /^.*\b(?:no tests? (?:ran|found|were found|to run|collected)|no test files(?: found)?|collected 0 items|ran 0 tests).*$/im,
  /^.*\b(?:0 tests? (?:ran|found|collected|executed)|tests? found: 0|there are no tests to run).*$/im,
);
const RUNNER_CONFIG = /^.*\b(?:configfile|config ?file|testpaths|testMatch|include|pattern)s?\b ?[:=].*$/im;

const noTests: FindReason = ({ turns, failure: { turn, turns: members } }) => {
  const outputs = members.map((member) => member.output);
  const empty = outputs.filter((output) => NO_TESTS.test(output));
  if (empty.length * 2 < outputs.length) return null;
  const tests = turns.filter(({ kind }) => kind === 'test').map(({ output }) => output);
  const config = firstGroupIn(RUNNER_CONFIG, tests);
  const by = config === undefined ? 'its configuration' : `its configuration (${quote(config)})`;
  const said = firstGroupIn(NO_TESTS, empty) ?? '';
  return {
    cause:
      `\`${callText(turn)}\` finds no tests (${quote(said)}), whatever is in the test files: ` +
      `their names or places may not be what ${by} asks for`,
    startHere:
      'Read the configuration of the runner for the names and folders that it takes, and let it list what it finds ' +
      '(pytest: `--collect-only`); then rename or move the test file.',
  };
};
