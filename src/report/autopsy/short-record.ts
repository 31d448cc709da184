/** `shortSummary`: what a record that is too short for a story still shows: the call that failed last. */
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { callText, quote } from '../../core/detect/detector.ts';

export function shortSummary({ turns }: Autopsy): string {
  const turn = turns.findLast(({ failed }) => failed);
  const last = turn === undefined ? '' : ` Last, \`${callText(turn)}\` failed: ${quote(turn.errorLine)}`;
  return `The record is too short to say how the run went.${last}`;
}
