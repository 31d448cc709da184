/** `redBefore`: a test was red before the first edit, and the task does not name it. */
import { callText } from '../../detector.ts';
import { failingNames } from '../../failing-names.ts';
import { changes } from '../../staleness.ts';
import { editsFile, editsWithin } from '../repeated-turns.ts';
import { editedPaths } from '../side-effects.ts';
import { errorSaid, type FindReason } from './find-reason.ts';

/** The task is about something that fails. */
const MENDS = /\b(?:fix\w*|fail\w*|red|broken|breaks?|repair\w*|bugs?|mend\w*|flaky|regression|crash\w*)\b/i;
const OTHERS_PASS = /\b[1-9]\d* (?:passed|passing|ok|succeeded)\b|^(?:ok|✓|✔|PASS)\b|\.\.\. ok$/m;

export const redBefore: FindReason = (record) => {
  const { turns, failure, task } = record;
  const { turn, first, last } = failure;
  const firstEdit = turns.find(changes);
  const [name = ''] = failingNames(turn.output);
  if (editsFile(turn) || firstEdit === undefined || first.step > firstEdit.callStep || name === '')
    return null;
  const edited = editedPaths(editsWithin(turns, 0, last.callStep));
  const words = name.split(/[^\w]+/).filter((word) => word.length > 3);
  const isAsked = MENDS.test(task) || words.some((word) => task.includes(word));
  const isTouched = edited.some((path) => turn.output.includes(path.slice(path.lastIndexOf('/') + 1)));
  const isSame = failure.turns.every(
    ({ output }) => failingNames(output).join() === failingNames(turn.output).join(),
  );
  if (isAsked || isTouched || !isSame || !OTHERS_PASS.test(turn.output)) return null;
  const command = callText(turn);
  return {
    cause:
      `${name} was red before the first edit (call ${turns.indexOf(first) + 1}; the first edit is call ${turns.indexOf(firstEdit) + 1}), ` +
      `so no edit of this run broke it, and the task does not name it: ${errorSaid(record)}`,
    startHere:
      `Do not edit for it. Run the rest without it, finish what the task asks for, and say that ${name} was red before ` +
      `(\`git stash; ${command}; git stash pop\` shows it).`,
  };
};
