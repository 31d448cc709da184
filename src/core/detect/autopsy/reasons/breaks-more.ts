/** `breaksMore`: a check that was good fails since, and each change breaks about as much as it mends: what fails does not get less. */
import { checkOf } from '../../check-mark.ts';
import { callText } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { gapsWith, passes, type RecordedTurn } from '../recorded-turn.ts';
import { editsFile, editsWithin } from '../repeated-turns.ts';
import { editedPaths } from '../side-effects.ts';
import type { FindReason } from './find-reason.ts';

/** Fewer runs are the middle of a change that is not yet whole. */
const RUNS = 6;
/** So often more failed than in the run before. */
const RISES = 2;
const LATEST = 3;
/** As much still fails as at first, but for one or two. */
const STILL = 0.8;
const FAILING = /\b([1-9]\d{0,5}) (?:tests? |specs? )?(?:failed|failing|failures?)\b/gi;
const END_CHARS = 2_000;
const SHOWN = 3;

export const breaksMore: FindReason = ({ turns, failure: { turn } }) => {
  const check = checkOf(turn);
  if (check === 0 || editsFile(turn)) return null;
  const runs = turns.filter((each) => checkOf(each) === check);
  const last = runs.findLastIndex((each) => passes(each));
  const green = runs[last];
  const red = runs.slice(last + 1);
  const counts = red.flatMap(failingIn);
  const [first = 0] = counts;
  const rises = counts.filter((count, at) => at > 0 && count > (counts[at - 1] ?? 0)).length;
  const isLess = Math.min(...counts.slice(-LATEST)) < first * STILL;
  if (green === undefined || counts.length < RUNS || rises < RISES || isLess) return null;
  if (gapsWith(turns, red, changes) < RUNS - 1) return null;
  const paths = editedPaths(editsWithin(turns, green.step));
  const call = turns.indexOf(green) + 1;
  const others = paths.length > SHOWN ? ' and others' : '';
  const named = paths.length === 0 ? '' : ` (${paths.slice(0, SHOWN).join(', ')}${others})`;
  return [
    `\`${callText(turn)}\` passed in call ${call}; in the ${red.length} runs since, with changes in between, ` +
      `${counts.join(', ')} failed: the changes${named} break as much as they mend. ` +
      `The first step after call ${call} may have been too large to see which part of it is wrong`,
    `Keep what is there aside (a commit on a branch of its own), go back to the state of call ${call}, and make the change again in ` +
      `steps so small that \`${callText(turn)}\` stays good after each; commit each good step. Do not widen the change to mend a failure.`,
  ];
};

/** How many failed, as the runner counts them last. */
function failingIn({ output }: RecordedTurn): readonly number[] {
  const found = [...output.slice(-END_CHARS).matchAll(FAILING)].at(-1)?.[1];
  return found === undefined ? [] : [Number(found)];
}
