/** `switchedOff`, `TEST_FILE`: a check that turned green right after its test was edited to be skipped or to assert less. */
import { counted } from '../../../text/counted.ts';
import { oneOf } from '../../../text/one-of.ts';
import { callText, quote } from '../../detector.ts';
import { changes } from '../../staleness.ts';
import { type EditTarget, editOf } from '../../edit-target.ts';
import type { RecordedTurn } from '../recorded-turn.ts';
import { editsWithin } from '../repeated-turns.ts';
import type { Reason } from './find-reason.ts';

export interface SwitchedOff {
  /** The last run of the check that failed. */
  readonly red: RecordedTurn;
  readonly reason: Reason;
}

export const TEST_FILE = /(?:^|[/_.-])(?:tests?|specs?)(?:[/_.-]|$)|Tests?\.\w+$/;
const SKIPS = oneOf(
  /\b(?:t|self|pytest|unittest|test|it|describe|context)\.(?:skip\w*|xfail|todo|fixme)\b(?:\([^)\n]{0,60}\))?/i,
  /@(?:pytest\.mark\.(?:skip\w*|xfail)|Disabled|Ignore)\b|#\[ignore\]|\bx(?:it|describe|test)\(/i,
);
const ASSERTS = /\b(?:assert\w*|expect|require)\b|\bt\.(?:Error|Fatal)f?\b/g;
const ASKED_FOR = /\b(?:skip|xfail|disable|ignore|quarantine|remove|delete|drop)\b/i;

export function switchedOff(turns: readonly RecordedTurn[], task: string): SwitchedOff | null {
  if (ASKED_FOR.test(task)) return null;
  const at = turns.findLastIndex((turn) => changes(turn) && switchesOff(editOf(turn.given)) !== null);
  const turn = turns[at];
  const edit = turn === undefined ? null : editOf(turn.given);
  const words = switchesOff(edit);
  if (turn === undefined || edit === null || words === null) return null;
  const red = turns.slice(0, at).findLast(({ kind }) => kind === 'test');
  const green = turns.slice(at).find(({ kind }) => kind === 'test');
  const between = editsWithin(turns, red?.step ?? 0, green?.callStep ?? 0);
  if (red?.failed !== true || green?.failed !== false || between.length > 1) return null;
  return {
    red,
    reason: {
      cause:
        `\`${callText(green)}\` turned green because ${edit.path} was edited (${quote(words)}), not because of the work; ` +
        `before that it failed: ${quote(red.errorLine)}`,
      startHere: `Take that edit of ${edit.path} back (${quote(words)}), run \`${callText(red)}\`, and mend what it reports.`,
    },
  };
}

/** What of an edit switches a test off; null if nothing does. */
function switchesOff(edit: EditTarget | null): string | null {
  if (edit === null || edit.from === null || edit.to === null || !TEST_FILE.test(edit.path)) return null;
  const skip = SKIPS.exec(edit.to.replace(/\\[nrt]/g, ' ').replaceAll('\\"', '"'));
  if (skip !== null && !SKIPS.test(edit.from)) return skip[0];
  const lost = (edit.from.match(ASSERTS)?.length ?? 0) - (edit.to.match(ASSERTS)?.length ?? 0);
  return lost > 0 ? counted(lost, 'fewer assertion') : null;
}
