/**
 * `Timeline`: a run on six lanes that are always there in the same order: Life, Calls, Checkpoints, Incidents, Checks, Cost. One cursor
 * moves through all of them and through the panes below. The number of elements is bounded by pixels, however long the run is.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunJson } from '../../src/core/view/run-json.ts';
import type { TimelineDocument } from '../../src/http/timeline-document.ts';
import { ownStretches } from '../../src/http/life-pieces.ts';
import { clock, clockWithSeconds, ms, span } from '../time.ts';
import { axisTicks, type Folded, timeScale } from './time-scale.ts';
import { Calls } from './calls.tsx';
import { Checkpoints } from './checkpoints.tsx';
import { Checks } from './checks.tsx';
import { Cost } from './cost.tsx';
import { Incidents } from './incidents.tsx';
import { EDGE, HEIGHT, LANES } from './lanes.ts';
import { Life } from './life.tsx';

const LABELS = 104;
/** A phone has room for the names of the lanes in smaller letters. */
const PHONE_LABELS = 82;
const NAMES: readonly (readonly [name: string, y: number])[] = [
  ['Life', LANES.life + 14],
  ['Calls', LANES.calls + 16],
  ['Checkpoints', LANES.checkpoints + 14],
  ['Incidents', LANES.incidents + 12],
  ['Checks', LANES.checks + 14],
  ['Cost', LANES.cost + 18],
];

interface TimelineShown {
  readonly run: RunJson;
  readonly detail: TimelineDocument | null;
  readonly now: number;
  readonly cursor: number;
  readonly unfolded: boolean;
  readonly onCursor: (at: number) => void;
}

export function Timeline({ run, detail, now, cursor, unfolded, onCursor }: TimelineShown) {
  const place = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(1_200);
  useEffect(() => {
    if (place.current === null) return;
    const look = new ResizeObserver(([entry]) => setWidth(Math.max(entry?.contentRect.width ?? 0, 320)));
    look.observe(place.current);
    return () => look.disconnect();
  }, []);
  const ended = ['delivered', 'unverified', 'abandoned'].includes(run.state);
  const from = ms(run.created_at) ?? now;
  const to = ended ? (ms(run.updated_at) ?? now) : now;
  const isNarrow = width < 700;
  const [labels, edge] = isNarrow ? [PHONE_LABELS, 8] : [LABELS, EDGE];
  const waits = run.waits.map((wait) => ({ from: ms(wait.from) ?? from, to: ms(wait.to) ?? to }));
  const [prepared] = ownStretches(run, to).filter(({ does }) => does === 'prepares');
  const scale = timeScale({
    from,
    to: Math.max(to, from + 1_000),
    left: labels,
    right: width - EDGE,
    waits,
    prepared,
    unfolded,
  });
  const move = (event: PointerEvent) => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    onCursor(scale.at(event.clientX - box.left));
  };
  const x = scale.x(cursor);
  const isNow = !ended && cursor >= to;
  // The flag stays inside the margins of the page.
  const half = isNow ? 46 : 32;
  const flag = Math.min(Math.max(x, edge + half), width - edge - half);
  const foldWords = placedWords(scale.folds, { flag, room: WORDS_ROOM / 2 + half, right: width - edge });
  return (
    <div class="timeline" ref={place}>
      <svg
        width={width}
        height={HEIGHT}
        role="img"
        aria-label={`Timeline of run ${run.run_id}. The story below says the same in words.`}
        onPointerDown={move}
        onPointerMove={move}
      >
        {axisTicks(scale, 76).map((tick) => (
          <g key={tick.at}>
            <line class="grid" x1={tick.x} x2={tick.x} y1="22" y2={HEIGHT} />
            {[flag, ...foldWords].every(
              (words) => words === null || Math.abs(tick.x - words) > 28 + half,
            ) && (
              <text class="hour" x={tick.x} y="14" text-anchor="middle">
                {to - from < 20 * 60_000 ? clockWithSeconds(tick.at) : clock(tick.at, now)}
              </text>
            )}
          </g>
        ))}
        {scale.folds.map((fold, index) => (
          <g key={fold.from} class="fold">
            <rect x={fold.left} width={fold.right - fold.left} y="22" height={HEIGHT - 22} />
            {typeof foldWords[index] === 'number' && (
              <text x={foldWords[index]} y="14" text-anchor="middle">
                {span(fold.to - fold.from)} folded
              </text>
            )}
          </g>
        ))}
        {Object.values(LANES)
          .slice(1)
          .map((y) => (
            <line key={y} class="hair" x1="0" x2={width} y1={y - 4.5} y2={y - 4.5} />
          ))}
        {NAMES.map(([name, y]) => (
          <text key={name} class={isNarrow ? 'lane small' : 'lane'} x={edge} y={y}>
            {name}
          </text>
        ))}
        <Life run={run} scale={scale} now={to} />
        {detail !== null && <Calls slices={detail.calls} scale={scale} edge={edge} />}
        <Checkpoints run={run} scale={scale} />
        <Incidents run={run} scale={scale} now={to} />
        <Checks run={run} scale={scale} />
        {detail !== null && <Cost points={detail.cost} run={run} scale={scale} />}
        <g class="cursor">
          <line x1={x} x2={x} y1="20" y2={HEIGHT} />
          <rect x={flag - half} y="0" width={2 * half} height="20" rx="2" />
          <text x={flag} y="14" text-anchor="middle">
            {isNow && 'now '}
            {clockWithSeconds(cursor)}
          </text>
        </g>
      </svg>
      <Legend marks={marksOf(run, detail)} />
    </div>
  );
}

/** Words above the lanes that are closer than this would lie on each other. */
const WORDS_ROOM = 76;

interface Flag {
  readonly flag: number;
  /** Words that are closer to the flag than this would lie under it. */
  readonly room: number;
  readonly right: number;
}

/** Where the words of each fold stand, aside from the flag of the cursor; null: there is no room for them. */
function placedWords(folds: readonly Folded[], { flag, room, right: end }: Flag): readonly (number | null)[] {
  const placed = [flag];
  return folds
    .toReversed()
    .map(({ left, right }) => {
      const middle = (left + right) / 2;
      const isLeft = middle <= flag || flag + room + WORDS_ROOM / 2 > end;
      const aside = isLeft ? flag - room : flag + room;
      const x = Math.abs(middle - flag) < room ? aside : middle;
      if (placed.some((other) => Math.abs(other - x) < WORDS_ROOM)) return null;
      placed.push(x);
      return x;
    })
    .toReversed();
}

const KEYS: readonly (readonly [mark: string, means: string])[] = [
  ['moved', 'call that moved the work'],
  ['plain', 'other call'],
  ['failed', 'failed call or check'],
  ['solid', 'incident until resumed'],
  ['hollow', 'then until progress is seen'],
  ['own', 'Mayday prepares or checks'],
  ['wait', 'waits'],
  ['needs', 'needs you'],
];

/** Those that are in the picture. */
function marksOf(run: RunJson, detail: TimelineDocument | null): ReadonlySet<string> {
  const has: Readonly<Record<string, boolean>> = {
    moved: detail?.calls.some(({ moved }) => moved > 0) === true,
    plain: detail?.calls.some(({ plain }) => plain > 0) === true,
    failed:
      detail?.calls.some(({ failed }) => failed > 0) === true || run.checks.some(({ passed }) => !passed),
    solid: run.incidents.length > 0,
    hollow: run.incidents.some(({ resumed_at }) => resumed_at !== null),
    own: true,
    wait: run.waits.some((wait) => wait.for !== 'person'),
    needs: run.word === 'needs_you',
  };
  return new Set(KEYS.map(([mark]) => mark).filter((mark) => has[mark]));
}

/** Shape and word: the colours alone say nothing. */
function Legend({ marks }: { readonly marks: ReadonlySet<string> }) {
  return (
    <p class="legend second">
      {KEYS.filter(([mark]) => marks.has(mark)).map(([mark, means]) => (
        <span key={mark}>
          <i class={mark} /> {means}
        </span>
      ))}
      <span class="help">
        drag the line to move in time; times in {Intl.DateTimeFormat().resolvedOptions().timeZone}
      </span>
    </p>
  );
}
