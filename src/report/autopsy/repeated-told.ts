/** `repeatsTold`, `effort`, `wastedTurns`: what a run did again and again, and what else it did meanwhile, in words. */
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import type { RecordedTurn } from '../../core/detect/autopsy/recorded-turn.ts';
import { allOf, failsOtherwise, type Repeated } from '../../core/detect/autopsy/repeated-turns.ts';
import { callText, quote } from '../../core/detect/detector.ts';
import { changes } from '../../core/detect/staleness.ts';
import { counted } from '../../core/text/counted.ts';

/** A story is read in a minute: so many other calls are named. */
const TRIED = 3;
/** With these a harness ends a run. */
const OF_HARNESS = /^(?:exit_\w+|submit|finish)$/;

/** Subject, verb, object; without a full stop. */
export function repeatsTold(repeats: Repeated): string {
  const { turn, count } = repeats;
  const times = count === 1 ? '' : ` ${count} times`;
  if (turn.kind === 'ask') return `it asked the same question${times}`;
  if (!turn.failed) return `it made the call \`${callText(turn)}\`${times}`;
  const how = count > 1 && failsOtherwise(repeats) ? ', in another way each time, one of them' : '';
  const isOneCall = new Set(repeats.turns.map(callText)).size === 1;
  const what = isOneCall ? `\`${callText(turn)}\`` : `calls such as \`${callText(turn)}\``;
  return `${what} failed${times}${how}: ${quote(turn.errorLine).replace(/\.+$/, '')}`;
}

export function effort(
  part: readonly RecordedTurn[],
  all: readonly RecordedTurn[],
  repeats: Repeated | null,
): string {
  const same = new Set(repeats === null ? [] : allOf(all, repeats));
  const others = part.filter((turn) => !same.has(turn) && !OF_HARNESS.test(turn.input));
  const edits = others.filter(changes);
  const failed = others.filter((turn) => turn.failed);
  const sameTexts = new Set([...same].map(callText));
  const tried = [
    ...Map.groupBy(
      others.filter((turn) => !changes(turn)),
      callText,
    ),
  ]
    .filter(([text]) => !sameTexts.has(text))
    .sort(([, a], [, b]) => b.length - a.length);
  const named = tried
    .slice(0, TRIED)
    .map(([text, { length }]) => `\`${text}\`${length === 1 ? '' : ` (${length})`}`);
  return [
    ...(repeats === null
      ? []
      : [`the same ${repeats.turn.failed ? 'failure' : 'call'} ${repeats.count} times in all`]),
    ...(edits.length === 0
      ? []
      : [counted(edits.length, same.size > 0 && [...same].some(changes) ? 'other edit' : 'edit')]),
    ...(failed.length === 0 ? [] : [`${counted(failed.length, 'other call')} failed`]),
    ...(named.length === 0 ? [] : [`also tried: ${named.join(', ')}${tried.length > TRIED ? ', …' : ''}`]),
  ].join('; ');
}

export function wastedTurns(found: Autopsy): readonly RecordedTurn[] {
  const [from, to] = [found.firstStuckStep ?? Infinity, found.overIn?.callStep ?? Infinity];
  return found.turns.filter(({ callStep }) => callStep >= from && callStep < to);
}
