/** `reasonOfPlace`: why a failure stays the same, by the place that it names and what the edits did to that place. */
import { counted } from '../../text/counted.ts';
import type { Diagnosis } from '../../vocabulary/diagnosis.ts';
import { callText } from '../detector.ts';
import { changes } from '../detectors/staleness.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import type { Reason } from './find-reason.ts';
import { editsFile, type Repeated } from './repeated-turns.ts';
import { editedPath } from './side-effects.ts';
import { ALREADY_THERE } from './advice-by-error.ts';
import { TEST_FILE } from './switched-off.ts';

export function reasonOfPlace(
  turns: readonly RecordedTurn[],
  { turn, turns: members, count }: Repeated,
  diagnosis: Diagnosis,
): Reason | null {
  const [first, last] = [members[0] as RecordedTurn, members.at(-1) as RecordedTurn];
  const file = diagnosis.subject?.file ?? '';
  if (
    count < 2 ||
    diagnosis.failureType === 'success' ||
    diagnosis.failureType === 'unknown' ||
    editsFile(turn)
  )
    return null;
  const edits = turns.filter((each) => changes(each) && each.step > first.step && each.step < last.callStep);
  const paths = [...new Set(edits.flatMap((each) => editedPath(each) ?? []))];
  const cause = diagnosis.rootCause.replace(/\.+$/, '');
  const named = paths.slice(0, 3).join(', ');
  const where = diagnosis.subject?.row ? `${file}, line ${diagnosis.subject.row}` : file;
  if (edits.length === 0 || file === '' || named === '') return null;
  const done = `${counted(edits.length, 'edit')} of ${named}`;
  const isSame = (path: string) =>
    path.endsWith(file.replace(/^(?:\.?\/)+/, '')) || file.endsWith(path.replace(/^\.\//, ''));
  const name = file.slice(file.lastIndexOf('/') + 1);
  const isRead = turns.some(({ input, kind }) => kind !== 'test' && input.includes(name));
  if (paths.some(isSame) && ALREADY_THERE.test(turn.errorLine))
    return [
      `${cause}. ${done} left it as it is in ${count} runs: probably what an earlier run made is still there`,
      `Look at what is there (the file, the table, its rows) and remove it, or let ${named} skip it; then run \`${callText(turn)}\` once.`,
    ];
  if (paths.some(isSame))
    return [
      `${cause}. ${done} left it as it is: all ${count} runs fail alike, so probably the edits share an assumption that is wrong`,
      `Look at ${where} as it is now, say what the message asks for there, and change that; then run \`${callText(turn)}\` once.`,
    ];
  if (!TEST_FILE.test(file) && diagnosis.category === 'environment') return null;
  if (!TEST_FILE.test(file))
    return [
      `${cause}. It fails in ${file}, and no edit touched that: ${done} cannot mend it`,
      `Open ${where}: the failure is there. Mend it, take back what was changed for it in ${named}, and run \`${callText(turn)}\`.`,
    ];
  const unread = isRead ? '' : `Open ${where}, which was never read, and follow where the value comes from. `;
  return [
    [
      `${cause}. ${done} did not change that in ${count} runs: probably they say the same in other words,`,
      'or do not reach what the test looks at (a copy, another object, an input of another kind)',
    ].join(' '),
    `${unread}Print in ${named} what goes in and what comes out while \`${callText(turn)}\` runs; edit where it first is wrong.`,
  ];
}
