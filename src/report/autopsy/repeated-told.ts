/**
 * `failing`, `where`, `thingRepeated`, `inAll`, `wastedTurns`, `whose`: what a run did again and again, in words: what it is, how often it
 * came, which calls went by meanwhile, and who can mend it.
 */
import type { Autopsy } from '../../core/detect/autopsy/autopsy.ts';
import { timesInAll } from '../../core/detect/autopsy/other-results.ts';
import type { RecordedTurn } from '../../core/detect/autopsy/recorded-turn.ts';
import { isRefusedFromOutside } from '../../core/detect/autopsy/refused-from-outside.ts';
import type { Repeated } from '../../core/detect/autopsy/repeated-turns.ts';
import { callText, quote } from '../../core/detect/detector.ts';

export function failing({ turn, count }: Repeated): string {
  const times = count === 1 ? '' : ` ${count} times`;
  if (!turn.failed) return `\`${callText(turn)}\` was made${times}`;
  return `\`${callText(turn)}\` failed${times}: ${quote(turn.errorLine).replace(/\.+$/, '')}`;
}

/** Where most of the calls were others, that is told. */
export function where(found: Autopsy): string {
  const { repeats, turns } = found;
  const wasted = wastedTurns(found);
  const same = wasted.filter((turn) => repeats?.turns.includes(turn)).length;
  const isCall = repeats !== null && thingRepeated(repeats) === 'call' && repeats.turn.kind !== 'ask';
  return isCall && same * 2 < wasted.length
    ? `went by; the same call came ${inAll(turns, repeats)} times: ${callText(repeats.turn)}`
    : `went into ${what(found)}`;
}

function what({ repeats }: Autopsy): string {
  if (repeats === null) return 'next to nothing new';
  const { turn } = repeats;
  if (turn.kind === 'ask') return 'the same question';
  if (repeats.kind === 'search') return `searches that found nothing new, the last one: ${callText(turn)}`;
  if (repeats.kind === 'page') return `the same pages again and again, most of all ${quote(repeats.key)}`;
  if (turn.errorLine !== '') return `the same ${thingRepeated(repeats)}: ${quote(turn.errorLine)}`;
  return `the same call again and again: ${callText(turn)}`;
}

/** The check fails in another way each time. */
function isFailingCheck({ kind, turn, turns }: Repeated): boolean {
  return kind === 'check' && turns.every((each) => each === turn || each.error !== turn.error);
}

export function inAll(turns: readonly RecordedTurn[], repeats: Repeated): number {
  return isFailingCheck(repeats) || repeats.kind === 'look' ? repeats.count : timesInAll(turns, repeats);
}

export function thingRepeated(repeats: Repeated): string {
  const { kind, turn } = repeats;
  if (turn.failed)
    return turn.sameResult === 'hidden' ? 'result' : isFailingCheck(repeats) ? 'failing check' : 'failure';
  return kind === 'page' || kind === 'search' ? kind : 'call';
}

/** Nothing where that is not known. */
export function whose({ isMendable, repeats }: Autopsy): readonly string[] {
  if (!isMendable) return ["not the agent's to fix"];
  return repeats !== null && isRefusedFromOutside(repeats) ? [] : ['the agent can mend it'];
}

export function wastedTurns(found: Autopsy): readonly RecordedTurn[] {
  const [from, to] = [found.firstStuckStep ?? Infinity, found.overIn?.callStep ?? Infinity];
  return found.turns.filter(({ callStep }) => callStep >= from && callStep < to);
}
