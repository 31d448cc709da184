/**
 * `Timeline`: a run on six lanes that are always there in the same order: Life, Calls, Checkpoints, Incidents, Checks, Cost. One cursor
 * moves through all of them and through the panes below. The number of elements is bounded by pixels, however long the run is.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunJson } from '../../src/core/view/run-json.ts';
import type { TimelineDocument } from '../../src/http/timeline-document.ts';
import { ownStretches } from '../../src/http/life-pieces.ts';
import { clock, clockWithSeconds, ms, span } from '../time.ts';
import { axisTicks, timeScale } from './time-scale.ts';
import { Calls } from './calls.tsx';
import { Checkpoints } from './checkpoints.tsx';
import { Checks } from './checks.tsx';
import { Cost } from './cost.tsx';
import { Incidents } from './incidents.tsx';
import { EDGE, HEIGHT, LANES } from './lanes.ts';
import { Life, needsPerson } from './life.tsx';

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

/** A time of the axis with the room around it. */
const TIME_ROOM = 76;
const TIME_HALF = 24;

interface TimeWords {
  readonly at: number;
  readonly x: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

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
  const timeAt = (at: number) => (to - from < 20 * 60_000 ? clockWithSeconds(at) : clock(at, now));
  // Begin and end always have their time; the flag of the cursor tells its own.
  const times: readonly TimeWords[] = [
    { at: from, x: scale.x(from), anchor: 'start' },
    ...axisTicks(scale, TIME_ROOM).map((tick) => ({ ...tick, anchor: 'middle' as const })),
    { at: to, x: scale.x(to), anchor: 'end' },
  ];
  const isFree = ({ x: place, anchor }: TimeWords) => {
    const middle = place + { start: 1, middle: 0, end: -1 }[anchor] * TIME_HALF;
    return Math.abs(middle - flag) > TIME_HALF + half + 4;
  };
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
        {times.map((time) => (
          <g key={`${time.anchor}${time.at}`}>
            {time.anchor === 'middle' && <line class="grid" x1={time.x} x2={time.x} y1="22" y2={HEIGHT} />}
            {isFree(time) && (
              <text class="hour" x={time.x} y="14" text-anchor={time.anchor}>
                {timeAt(time.at)}
              </text>
            )}
          </g>
        ))}
        {scale.folds.map((fold) => (
          <g key={fold.from} class="fold">
            <rect x={fold.left} width={fold.right - fold.left} y="22" height={HEIGHT - 22} />
            {/* In the lane of the calls: no agent calls while a run waits or is prepared. */}
            <text x={(fold.left + fold.right) / 2} y={LANES.calls + 14} text-anchor="middle">
              {span(fold.to - fold.from)}
            </text>
            <text x={(fold.left + fold.right) / 2} y={LANES.calls + 28} text-anchor="middle">
              folded
            </text>
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

const KEYS: readonly (readonly [mark: string, means: string])[] = [
  ['moved', 'call that moved the work'],
  ['plain', 'other call'],
  ['failed', 'failed call or check'],
  ['solid', 'incident until resumed'],
  ['hollow', 'then until progress is seen'],
  ['own', 'Mayday prepares, saves or checks'],
  ['wait', 'waits'],
  ['needs', 'needs you'],
  ['asked', 'needed you'],
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
    needs: needsPerson(run),
    asked: run.waits.some((wait) => wait.for === 'person' && (wait.to !== null || !needsPerson(run))),
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
      <span class="help">drag the line to move in time</span>
    </p>
  );
}
