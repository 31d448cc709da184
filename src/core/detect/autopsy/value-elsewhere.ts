/** `valueElsewhere`: the wrong value of a check stands in a file that a search showed and that no call opened or changed. */
import { groupIn } from '../../text/group-in.ts';
import { oneOf } from '../../text/one-of.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { callText, quote } from '../detector.ts';
import { changes } from '../detectors/staleness.ts';
import type { FindReason } from './find-reason.ts';
import { editsFile } from './repeated-turns.ts';
import { editedPath, isSamePath } from './side-effects.ts';

/** What a check got, in the words of the usual runners. */
const GOT = oneOf(
  /\bexpected:? (['"]?[\w.:/-]{2,60}['"]?) to (?:be|equal|match)\b/i,
  /\b(?:received|actual|got|but was)\b\W{1,6}(['"]?[\w.:/-]{2,60})/i,
  /\bassert (['"]?[\w.:/-]{2,60}['"]?) ==/,
  /\bleft: (['"]?[\w.:/-]{2,60})/,
);
const HIT = /^((?:[\w.@+-]*\/)*[\w.@+-]+\.\w{1,6}):(\d+):(.*)$/;

export const valueElsewhere: FindReason = ({ turns, failure: { turn, turns: members, count } }) => {
  if (editsFile(turn)) return null;
  const value = groupIn(GOT, turn.output)?.replace(/^['"]|['"]$/g, '');
  const edited = turns.flatMap((each) => (changes(each) ? (editedPath(each) ?? []) : []));
  const last = members.at(-1) as RecordedTurn;
  if (value === undefined || edited.length === 0) return null;
  const whole = new RegExp(`(?<![\\w.])${value.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w.])`);
  for (const search of turns.filter(({ kind, step }) => kind === 'search' && step < last.callStep)) {
    const hits = search.output
      .split('\n')
      .flatMap((line) => (HIT.exec(line.trim()) === null ? [] : [HIT.exec(line.trim()) as RegExpExecArray]));
    const isAbout = hits.some(([, path = '']) => edited.some((each) => isSamePath(each, path)));
    const found = hits.find(
      ([, path = '', , text = '']) =>
        whole.test(text) &&
        !turns.some(({ kind, input }) => kind !== 'search' && kind !== 'test' && input.includes(path)),
    );
    if (!isAbout || found === undefined) continue;
    const [, path, row, text = ''] = found;
    return [
      [
        `\`${callText(turn)}\` gets ${value} in all ${count} runs, and that stands in ${path}, line ${row}: ${quote(text)}.`,
        `\`${callText(search)}\` showed it; no call opened that file, and the edits went to ${[...new Set(edited)].join(', ')}`,
      ].join(' '),
      `Open ${path}, line ${row}: the value comes from there. Change it there, and run \`${callText(turn)}\` once.`,
    ];
  }
  return null;
};
