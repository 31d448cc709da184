/** `accessRefused`: what was asked for is understood and refused to this account: edits cannot give a right, a person can. */
import { oneOf } from '../../../text/one-of.ts';
import { commandOf } from '../../call-kind.ts';
import { callText, quoteWhole } from '../../detector.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, type FindReason } from './find-reason.ts';
import { factsShown } from './facts-shown.ts';
import { tellFacts } from './record-facts.ts';

const REFUSED = oneOf(
  /\b(?:must be (?:owner|superuser|admin\w*|a member)|not (?:authorized|authorised|entitled) to|access ?denied|explicit deny)\b/i,
  /\bpermission denied (?:to|for)\b/i,
  /\b(?:insufficient|missing|lacks?|does not have|doesn't have) (?:the )?(?:\S+ )?(?:privileges?|permissions?|rights?|scopes?|role)\b/i,
  /\b(?:requires|needs) (?:the )?\S+ (?:privilege|permission|scope|role)\b|\b403 forbidden\b|\bdenied by (?:\w+ )?(?:policy|rule)/i,
);

export const accessRefused: FindReason = (record) => {
  const { turn, turns: members, count } = record.failure;
  const line =
    turn.output
      .split('\n')
      .find((each) => REFUSED.test(each))
      ?.trim() ?? '';
  if (editsFile(turn) || line === '' || !members.every(({ output }) => REFUSED.test(output))) return null;
  const paths = editedInVain(record);
  const command = commandOf(turn.input);
  const facts = tellFacts(
    factsShown(record, line).filter(({ where }) => !command.includes(where.split(',')[0] ?? '')),
  );
  const shown = facts === '' ? '' : `. The record shows of it: ${facts}`;
  const vain = paths === '' ? '' : `; the edits of ${paths} cannot give it`;
  return [
    `\`${callText(turn)}\` is refused ${count} times: ${quoteWhole(line)}. The account of this run lacks that right${vain}${shown}`,
    [
      'Stop: another form of the same request is refused, too. A person grants the right, or runs',
      `\`${callText(turn)}\` with an account that has it.`,
      paths === '' ? '' : `Take back what was changed only for this (${paths}).`,
    ]
      .join(' ')
      .trim(),
    'auth_failure',
  ];
};
