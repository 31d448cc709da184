/** `accessRefused`: what was asked for is understood and refused to this account: edits cannot give a right, a person can. */
import { oneOf } from '../../../text/one-of.ts';
import { callText, quoteWhole } from '../../detector.ts';
import { editsFile } from '../repeated-turns.ts';
import { editedInVain, editedMeanwhile, type FindReason } from './find-reason.ts';

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

/** Who may push does not matter: nobody may without a request. */
const BY_REQUEST = /\b(?:through|via|by|using|open|create) a (?:pull|merge) request\b/i;

export const accessRefused: FindReason = (record) => {
  const { turn, turns: members, count } = record.failure;
  const lines = turn.output.split('\n').map((line) => line.trim());
  const line = lines.find((each) => REFUSED.test(each));
  if (editsFile(turn) || line === undefined || !members.every(({ output }) => REFUSED.test(output)))
    return null;
  const paths = editedMeanwhile(record);
  const vain = editedInVain(record) === '' ? '' : `; the edits of ${paths} did not give it`;
  const back = paths === '' ? '' : ` Take back what was changed only for this (${paths}).`;
  const byRequest = lines.find((each) => BY_REQUEST.test(each));
  if (byRequest !== undefined)
    return {
      cause:
        `\`${callText(turn)}\` is refused ${count} times: ${quoteWhole(line).replace(/\.+$/, '')}. ` +
        `The branch takes changes only by request: ${quoteWhole(byRequest)}`,
      startHere:
        'Push the commits to a branch of their own, and open a pull request (a merge request) from it; ' +
        `the same push, also after a pull, is refused again.${back}`,
      failureClass: 'auth_failure',
    };
  return {
    cause:
      `\`${callText(turn)}\` is refused ${count} times: ${quoteWhole(line).replace(/\.+$/, '')}. ` +
      `The account of this run may lack that right${vain}`,
    startHere:
      `Stop: ${count} requests were refused alike. A person grants the right, or runs \`${callText(turn)}\` with an account that has it; ` +
      `if the project names another way, take that.${back}`,
    failureClass: 'auth_failure',
  };
};
