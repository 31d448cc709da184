/**
 * `failing`, `where`, `thingRepeated`, `sameIn`, `wastedTurns`, `whose`: what a run did again and again, in words: what it is, which calls
 * went by meanwhile and how many of them were it, and who can mend it.
 */
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { inRecord } from '../../core/detect/autopsy/other-results.ts';
import type { RecordedTurn } from '../../core/detect/autopsy/recorded-turn.ts';
import { failsOtherwise, type Repeated } from '../../core/detect/autopsy/repeated-turns.ts';
import { callText, quote } from '../../core/detect/detector.ts';

export function failing(repeats: Repeated): string {
  const { turn, count } = repeats;
  const times = count === 1 ? '' : ` ${count} times`;
  if (!turn.failed) return `\`${callText(turn)}\` was made${times}`;
  const how = count > 1 && failsOtherwise(repeats) ? ', in another way each time, one of them' : '';
  return `\`${callText(turn)}\` failed${times}${how}: ${quote(turn.errorLine).replace(/\.+$/, '')}`;
}

/** What became of the calls since it was stuck: all of them were what repeats, or so many of them. */
export function where(found: Autopsy): string {
  const { repeats } = found;
  if (repeats === null) return 'brought next to nothing new';
  const wasted = wastedTurns(found);
  const same = sameIn(wasted, found).length;
  const [all, some] = what(repeats);
  if (same === wasted.length) return `went into ${all}`;
  return same === 0 ? 'went by' : `went by; ${same} of them ${some}`;
}

/** The turns that are what repeats. */
export function sameIn(
  part: readonly RecordedTurn[],
  { turns, repeats }: Pick<Autopsy, 'turns' | 'repeats'>,
): readonly RecordedTurn[] {
  const same = new Set(repeats === null ? [] : inRecord(turns, repeats).turns);
  return part.filter((turn) => same.has(turn));
}

/** As what all calls went into, and as what some of them did. */
function what(repeats: Repeated): readonly [all: string, some: string] {
  const { turn, kind, key } = repeats;
  const call = callText(turn);
  if (turn.kind === 'ask') return ['the same question', 'asked the same question'];
  if (kind === 'search')
    return [
      `searches that found nothing new, the last one: ${call}`,
      `were searches that found nothing new, the last one: ${call}`,
    ];
  if (kind === 'page') return [`one page: ${quote(key)}`, `showed one page: ${quote(key)}`];
  if (!turn.failed) return [`the same call again and again: ${call}`, `were the same call: ${call}`];
  const line = turn.errorLine === '' ? call : quote(turn.errorLine);
  const thing = thingRepeated(repeats);
  return [`the same ${thing}: ${line}`, `met the same ${thing}: ${line}`];
}

export function thingRepeated(repeats: Repeated): string {
  const { kind, turn } = repeats;
  if (turn.failed)
    return turn.sameResult === 'hidden' ? 'result' : failsOtherwise(repeats) ? 'failing check' : 'failure';
  return kind === 'page' || kind === 'search' ? kind : 'call';
}

/** Nothing where that is not known. */
export function whose({ mendableBy }: Autopsy): readonly string[] {
  if (mendableBy === null) return [];
  return [mendableBy === 'person' ? "not the agent's to fix" : 'the agent can mend it'];
}

export function wastedTurns(found: Autopsy): readonly RecordedTurn[] {
  const [from, to] = [found.firstStuckStep ?? Infinity, found.overIn?.callStep ?? Infinity];
  return found.turns.filter(({ callStep }) => callStep >= from && callStep < to);
}
