/**
 * `timeScale`: places moments of a run on a line of pixels. A long wait and a long preparation are folded to narrow strips, so that work
 * keeps its room.
 */
export interface Fold {
  readonly from: number;
  readonly to: number;
}

export interface Folded extends Fold {
  readonly left: number;
  readonly right: number;
}

export interface TimeScale {
  readonly x: (at: number) => number;
  readonly at: (x: number) => number;
  readonly folds: readonly Folded[];
  readonly from: number;
  readonly to: number;
}

const FOLD_WIDTH = 88;
/** A wait that takes more of the run than this is folded. */
const FOLD_SHARE = 0.12;
/** A shorter one is no wait to a person. */
const FOLD_MS = 60_000;
/** Of the preparation there is nothing to see from here on. */
const FOLD_PREPARED_MS = 10_000;

export interface ScaleWish {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
  /** In order, without overlaps. */
  readonly waits: readonly Fold[];
  /** Before all of them: the time until an agent began. */
  readonly prepared?: Fold | undefined;
  readonly unfolded: boolean;
}

export function timeScale({ from, to, left, right, waits, prepared, unfolded }: ScaleWish): TimeScale {
  const length = Math.max(to - from, 1);
  const isLong = (least: number) => (fold: Fold) =>
    fold.to - fold.from > Math.max(length * FOLD_SHARE, least);
  const folds = unfolded
    ? []
    : [
        ...(prepared === undefined ? [] : [prepared]).filter(isLong(FOLD_PREPARED_MS)),
        ...waits.filter(isLong(FOLD_MS)),
      ];
  const hidden = folds.reduce((sum, fold) => sum + (fold.to - fold.from), 0);
  const perMs = Math.max(right - left - folds.length * FOLD_WIDTH, 1) / Math.max(length - hidden, 1);
  /** Pieces of the line in order: plain ones stretch, folded ones have a fixed width. */
  const pieces: { from: number; to: number; left: number; right: number; folded: boolean }[] = [];
  let time = from;
  let place = left;
  const add = (until: number, width: number, folded: boolean) => {
    pieces.push({ from: time, to: until, left: place, right: place + width, folded });
    time = until;
    place += width;
  };
  for (const fold of folds) {
    add(Math.max(fold.from, time), Math.max(fold.from - time, 0) * perMs, false);
    add(fold.to, FOLD_WIDTH, true);
  }
  add(Math.max(to, time + 1), Math.max(right - place, 0), false);
  const within = (value: number, a: number, b: number, c: number, d: number) =>
    b <= a ? c : c + Math.min(Math.max((value - a) / (b - a), 0), 1) * (d - c);
  const last = pieces.at(-1);
  return {
    x: (at) => {
      const piece = pieces.find((one) => at <= one.to) ?? last;
      return piece === undefined ? left : within(at, piece.from, piece.to, piece.left, piece.right);
    },
    at: (x) => {
      const piece = pieces.find((one) => x <= one.right) ?? last;
      return piece === undefined ? from : within(x, piece.left, piece.right, piece.from, piece.to);
    },
    folds: pieces.filter(({ folded }) => folded),
    from,
    to,
  };
}

const MINUTE = 60_000;
const STEPS = [1 / 12, 1 / 6, 1 / 4, 1 / 2, 1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440].map(
  (minutes) => minutes * MINUTE,
);

/** Round times that have room; none inside a fold. */
export function axisTicks(
  scale: TimeScale,
  room: number,
): readonly { readonly at: number; readonly x: number }[] {
  const shown = scale.x(scale.to) - scale.x(scale.from);
  const hidden = scale.folds.reduce((sum, { from, to }) => sum + (to - from), 0);
  const perPixel = (scale.to - scale.from - hidden) / Math.max(shown, 1);
  const step = STEPS.find((one) => one / perPixel >= room) ?? 1_440 * MINUTE;
  const zone = new Date(scale.from).getTimezoneOffset() * MINUTE;
  const ticks: { at: number; x: number }[] = [];
  for (let at = Math.ceil((scale.from - zone) / step) * step + zone; at <= scale.to; at += step) {
    const fold = scale.folds.find(({ from, to }) => at > from && at < to);
    // A wait of days must not be walked through step by step.
    if (fold !== undefined) at = Math.floor((fold.to - zone) / step) * step + zone;
    else if (scale.x(at) - (ticks.at(-1)?.x ?? -room) >= room) ticks.push({ at, x: scale.x(at) });
  }
  return ticks;
}
