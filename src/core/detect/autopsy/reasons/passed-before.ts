/** `passedBefore`: a check passed before; what came between that and its first failure broke it, and the edits are elsewhere. */
import { commandOf } from '../../call-kind.ts';
import { checkOf } from '../../check-mark.ts';
import { callText, quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { passes, type RecordedTurn } from '../recorded-turn.ts';
import { editsFile, editsWithin } from '../repeated-turns.ts';
import { editedPath, editedPaths } from '../side-effects.ts';
import type { FindReason } from './find-reason.ts';

/** A command that changes what all code stands on. */
const MOVES =
  /\b(?:install|update|upgrade|add|remove|uninstall|get|tidy|migrate|pull|merge|rebase|checkout|switch|reset|stash|sync|bump)\b/;
/** A line in which one version takes the place of another. */
const MOVED = /\d+\.\d+\S*.{0,40}(?:\bwas\b|\bfrom\b|->|=>|→|\bto\b).{0,20}\d+\.\d+/i;
const SHOWN = 3;

export const passedBefore: FindReason = ({ turns, failure: { turn, first, count } }) => {
  const check = checkOf(turn);
  if (check === 0 || editsFile(turn)) return null;
  const green = turns.findLast(
    (each) => each.step < first.callStep && checkOf(each) === check && passes(each),
  );
  if (green === undefined) return null;
  const since = editedPaths(editsWithin(turns, first.step));
  const between = turns.filter(
    (each) => each.step > green.step && each.step < first.callStep && !each.failed,
  );
  const moves = between.filter(
    (each) => each.edit === null && each.kind !== 'read' && MOVES.test(commandOf(each.input)),
  );
  const edited = between.filter((each) => changes(each) && each.edit !== null);
  const others = edited.filter((each) => !since.includes(editedPath(each) ?? ''));
  if (since.length === 0 || moves.length === 0) return null;
  const at = (each: RecordedTurn) => `call ${turns.indexOf(each) + 1}`;
  const versions = moves.flatMap(({ output }) =>
    output
      .split('\n')
      .filter((line) => MOVED.test(line))
      .slice(0, SHOWN),
  );
  const done = [
    ...others.map((each) => `the edit of ${editedPath(each)} (${at(each)})`),
    ...moves.map((each) => `\`${callText(each)}\` (${at(each)})`),
  ];
  const [broke, later] = [done.slice(-SHOWN).join(' and '), since.slice(0, SHOWN).join(', ')];
  const told = versions.length === 0 ? '' : `: ${versions.map(quote).join(' · ')}`;
  const moved = versions.length === 0 ? 'what they changed' : 'one of these versions';
  return [
    `\`${callText(turn)}\` passed in ${at(green)} and fails since ${at(first)}, ${count} times: ${quote(turn.errorLine)}. ` +
      `In between came ${broke}${told}. One of these may have broken it; ${later} was edited only since`,
    `Take back the edits of ${later}; then take back ${broke} one at a time until ` +
      `\`${callText(turn)}\` passes: ${moved} made the difference. Keep only what the task needs, and follow the notes of that change.`,
  ];
};
