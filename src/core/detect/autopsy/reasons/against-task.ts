/** `againstTask`: the edits change what the task says to leave alone, and the check refuses just that. */
import { oneOf } from '../../../text/one-of.ts';
import { counted } from '../../../text/counted.ts';
import { callText, quote } from '../../detector.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editsFile, editsWithin } from '../repeated-turns.ts';
import { editedPath } from '../side-effects.ts';
import { type FindReason, takeBack } from './find-reason.ts';

const FORBIDS = oneOf(
  /\b(?:do not|don't|never|must not|may not|without|not to) (?:\w+ ){0,2}(?:chang|edit|touch|modif|alter|rewrit|delet|remov|renam|add)/i,
  /\b(?:leave|keep) \S.{0,80}\b(?:alone|untouched|unchanged|as (?:it|they) (?:is|are))\b|\b(?:is|are) (?:frozen|read-only|off limits)\b/i,
);
const FILE = /[\w@+-]*(?:[./][\w@+-]+)+/g;

export const againstTask: FindReason = ({ turns, failure, task }) => {
  const { turn, last, count } = failure;
  if (editsFile(turn)) return null;
  const rules = task.split(/(?<=[.!?;])\s+|\n/).filter((sentence) => FORBIDS.test(sentence));
  const edits = editsWithin(turns, 0, last.callStep);
  for (const rule of rules)
    for (const named of forbidden(rule)) {
      const isNamed = (each: RecordedTurn) =>
        `/${editedPath(each) ?? ''}`.includes(`/${named.replace(/^\.?\//, '')}`);
      const against = edits.filter(isNamed);
      if (against.length === 0 || against.length * 2 < edits.length) continue;
      return [
        `the task says "${quote(rule)}", and ${counted(against.length, 'edit')} changed ${named}: ` +
          `\`${callText(turn)}\` failed ${count} times since (${quote(turn.errorLine)})`,
        `${takeBack(named)}, and do it without that file: in the code behind it. ` +
          'If it cannot be done so, stop and ask whether the rule may be broken.',
      ];
    }
  return null;
};

/** The files of the clause that forbids, and the last one before it. */
function forbidden(rule: string): readonly string[] {
  const at = FORBIDS.exec(rule)?.index ?? 0;
  const before = rule.slice(0, at).match(FILE)?.at(-1);
  const after = /^[^,;:)]*/.exec(rule.slice(at))?.[0].match(FILE) ?? [];
  return after.length > 0 || before === undefined ? after : [before];
}
