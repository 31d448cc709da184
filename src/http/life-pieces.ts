/**
 * `piecesOf`, `fittingWindow`, `WINDOWS`: the life of a run as pieces of time, and how much of the past a list shows: the grammar of the
 * line of life, the same in the browser and in the terminal.
 */
import { isOverWord } from '../core/view/list-order.ts';
import type { LineDocument } from './line-document.ts';

const MINUTE = 60_000;
export const WINDOWS = [
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  60 * MINUTE,
  2 * 60 * MINUTE,
  8 * 60 * MINUTE,
  24 * 60 * MINUTE,
  7 * 24 * 60 * MINUTE,
];

export interface Piece {
  readonly from: number;
  readonly to: number;
  /**
   * `moved`: the work moved; `alive`: it did not; `unseen`: not looked at yet; `wait`: waits; `needs`: for a person, now; `asked`: waited
   * for a person.
   */
  readonly kind: 'moved' | 'alive' | 'unseen' | 'wait' | 'needs' | 'asked';
}

export function piecesOf(line: LineDocument, now: number): readonly Piece[] {
  const work = line.attempts.flatMap(({ started_at, ended_at, moved, looks_every_ms }): Piece[] => {
    const started = timeOf(started_at);
    if (started === null) return [];
    let from = started;
    const to = timeOf(ended_at) ?? now;
    const pieces: Piece[] = [];
    for (const span of moved) {
      const begun = timeOf(span.from) ?? started;
      const ended: number = timeOf(span.to) ?? begun;
      pieces.push({ from, to: begun, kind: 'alive' }, { from: begun, to: ended, kind: 'moved' });
      from = ended;
    }
    // The end of an attempt is looked at; of a living one the time since the last look is not known.
    const looked = ended_at === null ? Math.max(from, to - looks_every_ms) : to;
    return [...pieces, { from, to: looked, kind: 'alive' }, { from: looked, to, kind: 'unseen' }];
  });
  const waits = line.waits.map(({ from, to, for: what }): Piece => {
    const open = to === null;
    const kind = what !== 'person' ? 'wait' : open && line.word === 'needs_you' ? 'needs' : 'asked';
    return { from: timeOf(from) ?? now, to: timeOf(to) ?? now, kind };
  });
  return [...work, ...waits].filter(({ from, to }) => to > from);
}

/** The narrowest window that shows the living runs from their beginning, eight hours at most. */
export function fittingWindow(lines: Iterable<LineDocument>, now: number): number {
  const living = [...lines].filter(({ word }) => !isOverWord(word));
  const earliest = Math.min(now, ...living.map(({ created_at }) => timeOf(created_at) ?? now));
  return WINDOWS.find((one) => one >= now - earliest) ?? 8 * 60 * MINUTE;
}

function timeOf(iso: string | null): number | null {
  return iso === null ? null : Date.parse(iso);
}
