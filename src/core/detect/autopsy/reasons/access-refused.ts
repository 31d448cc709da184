/** `accessRefused`: what was asked for is understood and refused to this account: edits cannot give a right, a person can. */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quote, quoteWhole } from '../../detector.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, editedMeanwhile, type FindReason } from './find-reason.ts';
import { factsShown } from './facts-shown.ts';
import { fileShown, placeShown, type ShownLine, shownLine, shownLines, tellFacts } from './record-facts.ts';

const REFUSED = oneOf(
  /\b(?:must be (?:owner|superuser|admin\w*|a member)|not (?:authorized|authorised|entitled) to|access ?denied|explicit deny)\b/i,
  /\bpermission denied (?:to|for)\b/i,
  /\b(?:insufficient|missing|lacks?|does not have|doesn't have) (?:the )?(?:\S+ )?(?:privileges?|permissions?|rights?|scopes?|role)\b/i,
  /\b(?:requires|needs) (?:the )?\S+ (?:privilege|permission|scope|role)\b|\bdenied by (?:\w+ )?(?:policy|rule)/i,
  /\b403 forbidden\b|\bHTTP 403\b|\bnot accessible by\b/i,
  // What the other side of a push says about who may do it, and how.
  /(?:^|\n)remote: [^\n]*\b(?:only (?:by|through|via)|(?:by|for) \S+ only|not allowed to|may not|forbidden)\b/i,
  /(?:^|\n)remote: [^\n]*\bprotected (?:branch|tag|ref)\b/i,
);

/** A line of a file that says what an account may do. */
const GRANTS = /^["']?(?:permissions?|scopes?|roles?|grants?|privileges?|policy|access)["']?\s*[:=]/i;

/** What a line announces stands below it. */
function withNext({ turn, line, at }: ShownLine): string {
  const next = shownLine(turn.output.split('\n')[at + 1] ?? '');
  return line.endsWith(':') ? `${line} ${next}` : line;
}

export const accessRefused: FindReason = (record) => {
  const { turn, turns: members, count } = record.failure;
  const line =
    turn.output
      .split('\n')
      .find((each) => REFUSED.test(each))
      ?.trim() ?? '';
  if (editsFile(turn) || line === '' || !members.every(({ output }) => REFUSED.test(output))) return null;
  const paths = editedMeanwhile(record);
  const command = commandOf(turn.input);
  const facts = tellFacts(
    factsShown(record, line).filter(({ where }) => !command.includes(where.split(',')[0] ?? '')),
  );
  const granted = shownLines(record).find((each) => GRANTS.test(each.line) && fileShown(each.turn) !== null);
  const rights = granted === undefined ? '' : `${placeShown(granted)}: \`${quote(withNext(granted))}\``;
  const shown = [facts, rights].filter((each) => each !== '').join('; ');
  const vain = editedInVain(record) === '' ? '' : `; the edits of ${paths} did not give it`;
  return [
    `\`${callText(turn)}\` is refused ${count} times: ${quoteWhole(line).replace(/\.+$/, '')}. ` +
      `The account of this run may lack that right${vain}` +
      `${shown === '' ? '' : `. The record shows of it: ${shown}`}`,
    [
      `Stop: ${count} requests were refused alike.`,
      rights === '' ? '' : `If the right is given there, change that first: ${rights}. Otherwise`,
      'a person grants the right, or runs',
      `\`${callText(turn)}\` with an account that has it.`,
      // The other side of a push has a rule; the project may say which way it leaves open.
      facts === '' || !line.startsWith('remote:')
        ? ''
        : `Another form of the push does not help; if the project names another way, take that (${facts}).`,
      paths === '' ? '' : `Take back what was changed only for this (${paths}).`,
    ]
      .filter((part) => part !== '')
      .join(' ')
      .replace(/\. a person/, '. A person'),
    'auth_failure',
  ];
};
