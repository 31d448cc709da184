/** `hookRefuses`: a hook of git refuses the work by rules of its own. `wrongVersion`: another version runs than is asked for. */
import { inOrder } from '../../../text/in-order.ts';
import { oneOf } from '../../../text/one-of.ts';
import { callText, quote } from '../../detector.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { sameLines } from '../same-lines.ts';
import type { FindReason } from './find-reason.ts';

const HOOK = oneOf(
  /\b(commit-msg|pre-commit|pre-push|prepare-commit-msg) (?:script|hook) (?:failed|exited|declined)/i,
  /\b(pre-receive|update) hook declined|\bhook (commit-msg|pre-commit|pre-push) (?:failed|exited)/,
);
const MESSAGE_RULE = /\b(?:subject|type|scope|body|header|footer|commit message)\b/i;
const SAYS_NOTHING = /\bscript failed\b|\bfound \d+ problems?\b|^\W*\d+ problems?\b/;

export const hookRefuses: FindReason = ({ failure: { turn, turns: members, count } }) => {
  const hook = HOOK.exec(turn.output)
    ?.slice(1)
    .find((name) => name !== undefined);
  if (hook === undefined) return null;
  const same = sameLines(members).filter((line) => !SAYS_NOTHING.test(line));
  const lines = (same.length > 0 ? same : [turn.errorLine]).map((line) => quote(line)).join(' · ');
  const isMessage = hook.includes('commit-msg') && MESSAGE_RULE.test(lines);
  const rules = `the rules of the hook (\`.husky/${hook}\`, \`.git/hooks/${hook}\`, the configuration that it names)`;
  return [
    `the ${hook} hook refuses ${isMessage ? 'the form of the message, not the files' : 'it'}, ${count} times: ${lines}`,
    isMessage
      ? `Write the message in the form that it asks for, \`type: subject\` (\`fix: …\`, \`chore: …\`); the types stand in ${rules}.`
      : /receive|update/.test(hook)
        ? 'The server decides: read what it asks for, and do that (another branch, a review); a person has to change its rules.'
        : `Mend what these lines name; read ${rules} if they do not tell. Another message or another commit does not help.`,
  ];
};

/** Which version runs and which is wanted, in the words of version managers and package managers. */
const VERSIONS: readonly RegExp[] = [
  /\byour (?<of>\w+) version is (?<runs>[\d.]+), but your \w+ specified [~>=^ ]*(?<wants>[\d.]+)/i,
  inOrder(
    /\brequires? (?<of>[A-Za-z][\w.+-]{1,30})(?: version)?:? *["'(]?[~>=^v ]*(?<wants>\d+(?:\.\d+)*)/i,
    [/[^\n]{0,80}?\b(?:current|found|using|got|have|running|is)\b[^\n]{0,30}?(?<runs>\d+(?:\.\d+)+)/],
  ),
  inOrder(/\b(?<of>[A-Za-z][\w.+-]{1,30}?)(?: version)?[ @]*[~>=^v ]*(?<wants>\d+(?:\.\d+)*)\b/i, [
    /[^\n]{0,30}\brequired\b[^\n]{0,60}?\b(?<runs>\d+\.[\d.]*\d)/,
  ]),
];
const CLASS_VERSION = /\b(?:unsupported class file (?:major )?version|class file version) (\d{2})/i;
/** Java 1.1 wrote classes of version 45. */
const JAVA_MAJOR = 44;
const PLATFORM =
  /^(?:ruby|node(?:\.js)?|npm|pnpm|yarn|python|php|java|jdk|go|rust\w*|dart|flutter|elixir|dotnet|gradle|swift)$/i;

export const wrongVersion: FindReason = ({ turns, failure: { turn } }) => {
  const major = CLASS_VERSION.exec(turn.output)?.[1];
  if (major !== undefined) {
    const runs = Number(major) - JAVA_MAJOR;
    const other = listed(
      turns,
      /\b(?:java|jdk|openjdk|temurin)-?(\d{1,2})\b/gi,
      (found) => Number(found) < runs,
    );
    return [
      `Java ${runs} runs, and the tool that reads the classes is too old for it: ${quote(turn.errorLine)}${there(other)}`,
      [
        `Run it with ${other === null ? 'an older Java' : `Java ${other[0]}`} (\`JAVA_HOME\`), or take a version of the build tool that`,
        `knows Java ${runs} (\`gradle-wrapper.properties\`). No edit of the build file helps: take those back.`,
      ].join(' '),
    ];
  }
  const told = VERSIONS.map((says) => says.exec(turn.output)?.groups).find((groups) => groups !== undefined);
  const { of = '', runs = '', wants = '' } = told ?? {};
  if (!PLATFORM.test(of)) return null;
  const exact = new RegExp(`(?<![\\d.])(${wants.replaceAll('.', '\\.')})(?![\\d.]*\\d)`, 'g');
  const other = listed(turns, exact, (found) => found !== runs);
  return [
    `${of} ${runs} runs, and ${wants} is asked for: ${quote(turn.errorLine)}${there(other)}`,
    [
      `Run it with ${of} ${wants}: let the version manager choose it (its variable or file decides, also against the project's), or ask`,
      'which of the two is meant. To install the packages again does not help.',
    ].join(' '),
  ];
};

type Listed = readonly [version: string, turn: RecordedTurn];
const LISTS = /\b(?:versions|list|ls|alternatives|toolchains)\b|\bjvm\b/i;

/** A version that a call listed as installed. */
function listed(
  turns: readonly RecordedTurn[],
  version: RegExp,
  fits: (found: string) => boolean,
): Listed | null {
  for (const turn of turns.filter(({ failed, input }) => !failed && LISTS.test(input)))
    for (const [, found = ''] of turn.output.matchAll(version)) if (fits(found)) return [found, turn];
  return null;
}

function there(other: Listed | null): string {
  if (other === null) return '';
  return `; ${other[0]} is installed: \`${callText(other[1])}\` shows ${quote(other[1].output)}`;
}
