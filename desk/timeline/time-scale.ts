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

/** A wait or a preparation gets no more than this, unless the work leaves room. */
const FOLD_WIDTH = 88;
/** No agent works in a pause that is shorter. */
const PAUSE_MS = 500;
/** Work that is stretched further than 100 pixels a second shows nothing more: the rest of the line is for what is folded. */
const MOST_PER_MS = 0.1;

export interface ScaleWish {
  readonly from: number;
  readonly to: number;
  readonly left: number;
  readonly right: number;
  /** In order, without overlaps. */
  readonly waits: readonly Fold[];
  /** The time until an agent began. */
  readonly prepared?: Fold | undefined;
  readonly unfolded: boolean;
}

export function timeScale({ from, to, left, right, waits, prepared, unfolded }: ScaleWish): TimeScale {
  const length = Math.max(to - from, 1);
  const quiet = unfolded
    ? []
    : merged([...(prepared === undefined ? [] : [prepared]), ...waits].toSorted((a, b) => a.from - b.from));
  const { perMs, foldWidth } = shares(
    quiet.map((fold) => fold.to - fold.from),
    { length, width: Math.max(right - left, 1) },
  );
  const folds = quiet.filter((fold) => (fold.to - fold.from) * perMs > foldWidth);
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
    add(fold.to, foldWidth, true);
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

/** What follows one another without a pause is one stretch: a run that waits first for this, then for that. */
function merged(stretches: readonly Fold[]): readonly Fold[] {
  const all: Fold[] = [];
  for (const { from, to } of stretches) {
    const last = all.at(-1);
    if (last !== undefined && from - last.to < PAUSE_MS)
      all[all.length - 1] = { from: last.from, to: Math.max(last.to, to) };
    else all.push({ from, to });
  }
  return all;
}

interface Shares {
  readonly perMs: number;
  /** How wide a quiet stretch is at most: one that would be wider is folded. */
  readonly foldWidth: number;
}

/**
 * Every quiet stretch has its true width until that is the width of a fold. So nothing jumps while a run goes on: a fold begins and ends
 * as wide as its time is.
 */
function shares(
  quiet: readonly number[],
  { length, width }: { readonly length: number; readonly width: number },
): Shares {
  const hidden = quiet.reduce((sum, ms) => sum + ms, 0);
  if (width / length >= MOST_PER_MS) return { perMs: width / length, foldWidth: width };
  /** The longest `count` folded to `each`; the others and the work share what is left. */
  const perMsWith = (count: number, each: number) => {
    const shown = longest.slice(count).reduce((sum, ms) => sum + ms, length - hidden);
    return (width - count * each) / Math.max(shown, 1);
  };
  const longest = quiet.toSorted((a, b) => b - a);
  let count = 0;
  while (count < longest.length && (longest[count] ?? 0) * perMsWith(count, FOLD_WIDTH) > FOLD_WIDTH)
    count += 1;
  const perMs = perMsWith(count, FOLD_WIDTH);
  if (perMs <= MOST_PER_MS) return { perMs, foldWidth: FOLD_WIDTH };
  // So little work that it would be stretched out of all proportion.
  let folded = longest.length;
  const widthOf = (many: number) => {
    const shown = longest.slice(many).reduce((sum, ms) => sum + ms, length - hidden);
    return (width - shown * MOST_PER_MS) / Math.max(many, 1);
  };
  while (folded > 1 && (longest[folded - 1] ?? 0) * MOST_PER_MS <= widthOf(folded)) folded -= 1;
  return { perMs: MOST_PER_MS, foldWidth: widthOf(folded) };
}

const MINUTE = 60_000;
const STEPS = [
  1 / 60,
  1 / 30,
  1 / 12,
  1 / 6,
  1 / 4,
  1 / 2,
  1,
  2,
  5,
  10,
  15,
  30,
  60,
  120,
  360,
  720,
  1_440,
].map((minutes) => minutes * MINUTE);

/** Round times that have room; none inside a fold, and none so near to begin and end that it would touch their times. */
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
  const [first, last] = [scale.x(scale.from), scale.x(scale.to)];
  for (let at = Math.ceil((scale.from - zone) / step) * step + zone; at <= scale.to; at += step) {
    const fold = scale.folds.find(({ from, to }) => at > from && at < to);
    // A wait of days must not be walked through step by step.
    if (fold !== undefined) at = Math.floor((fold.to - zone) / step) * step + zone;
    else if (scale.x(at) - (ticks.at(-1)?.x ?? first) >= room && last - scale.x(at) >= room)
      ticks.push({ at, x: scale.x(at) });
  }
  return ticks;
}
