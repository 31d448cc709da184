/** `piecesOf`, `ownStretches`, `fittingWindow`, `WINDOWS`: the line of life of a run, the same in browser and terminal. */
import { isOverWord } from '../core/view/list-order.ts';
import { type LineDocument, MAX_SPANS } from './line-document.ts';

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
   * for a person; `own`: Mayday prepares or checks.
   */
  readonly kind: 'moved' | 'alive' | 'unseen' | 'wait' | 'needs' | 'asked' | 'own';
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
  const own = ownStretches(line, now).map(({ from, to }): Piece => ({ from, to, kind: 'own' }));
  return [...own, ...work, ...waits].filter(({ from, to }) => to > from);
}

interface Lived {
  readonly word: LineDocument['word'];
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly attempts: readonly Pick<LineDocument['attempts'][number], 'number' | 'started_at' | 'ended_at'>[];
  readonly waits: readonly { readonly from: string | null; readonly to: string | null }[];
}

interface OwnStretch {
  readonly from: number;
  readonly to: number;
  /** Before the first attempt it prepares; after one it checks what was left behind. */
  readonly does: 'prepares' | 'checks';
}

/** When no agent works and the run waits for nothing: Mayday itself is at work. */
export function ownStretches(
  { word, created_at, updated_at, attempts, waits }: Lived,
  now: number,
): readonly OwnStretch[] {
  const end = isOverWord(word) ? (timeOf(updated_at) ?? now) : now;
  const others = [
    ...attempts.map(({ started_at, ended_at }) => ({
      from: timeOf(started_at),
      to: timeOf(ended_at),
      works: true,
    })),
    ...waits.map(({ from, to }) => ({ from: timeOf(from), to: timeOf(to), works: false })),
  ].toSorted((a, b) => (a.from ?? end) - (b.from ?? end));
  const stretches: OwnStretch[] = [];
  // Of a long run only the last spans are known.
  const isWhole = (attempts[0]?.number ?? 1) === 1 && waits.length < MAX_SPANS;
  let at = (isWhole ? timeOf(created_at) : others[0]?.from) ?? end;
  let does: OwnStretch['does'] = 'prepares';
  for (const { from, to, works } of others) {
    if (from === null) continue;
    if (from > at) stretches.push({ from: at, to: from, does });
    at = Math.max(at, to ?? end);
    if (works) does = 'checks';
  }
  return end > at && word !== 'queued' ? [...stretches, { from: at, to: end, does }] : stretches;
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
