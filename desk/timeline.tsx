/**
 * `Timeline`: a run on six lanes that are always there in the same order: Life, Calls, Checkpoints, Incidents, Checks, Cost. One cursor moves
 * through all of them and through the panes below. The number of elements is bounded by pixels, however long the run is.
 */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RunJson } from '../src/core/view/run-json.ts';
import type { CallSlice, TimelineDocument } from '../src/http/timeline-document.ts';
import { clock, clockWithSeconds, ms, span } from './time.ts';
import { axisTicks, timeScale, type TimeScale } from './time-scale.ts';

const LABELS = 104;
const EDGE = 24;
const HEIGHT = 236;
const LANES = { life: 28, calls: 66, checkpoints: 108, incidents: 134, checks: 176, cost: 204 } as const;
const NAMES: readonly (readonly [name: string, y: number])[] = [
  ['Life', LANES.life + 14],
  ['Calls', LANES.calls + 24],
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
  const labels = width < 700 ? EDGE : LABELS;
  const waits = run.waits.map((wait) => ({ from: ms(wait.from) ?? from, to: ms(wait.to) ?? to }));
  const scale = timeScale({
    from,
    to: Math.max(to, from + 1_000),
    left: labels,
    right: width - EDGE,
    waits,
    unfolded,
  });
  const move = (event: PointerEvent) => {
    if (event.type === 'pointermove' && event.buttons === 0) return;
    const box = (event.currentTarget as SVGElement).getBoundingClientRect();
    onCursor(scale.at(event.clientX - box.left));
  };
  const x = scale.x(cursor);
  const flag = Math.min(Math.max(x, 34), width - 34);
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
            {Math.abs(tick.x - flag) > 60 && (
              <text class="hour" x={tick.x} y="14" text-anchor="middle">
                {to - from < 20 * 60_000 ? clockWithSeconds(tick.at) : clock(tick.at, now)}
              </text>
            )}
          </g>
        ))}
        {scale.folds.map((fold) => (
          <g key={fold.from} class="fold">
            <rect x={fold.left} width={fold.right - fold.left} y="22" height={HEIGHT - 22} />
            <text x={(fold.left + fold.right) / 2} y="14" text-anchor="middle">
              {span(fold.to - fold.from)} folded
            </text>
          </g>
        ))}
        {Object.values(LANES)
          .slice(1)
          .map((y) => (
            <line key={y} class="hair" x1="0" x2={width} y1={y - 4.5} y2={y - 4.5} />
          ))}
        {labels === LABELS &&
          NAMES.map(([name, y]) => (
            <text key={name} class="lane" x={EDGE} y={y}>
              {name}
            </text>
          ))}
        <Life run={run} scale={scale} now={to} />
        {detail !== null && <Calls slices={detail.calls} scale={scale} />}
        <Checkpoints run={run} scale={scale} />
        <Incidents run={run} scale={scale} now={to} />
        <Checks run={run} scale={scale} />
        {detail !== null && <Cost points={detail.cost} run={run} scale={scale} />}
        <g class="cursor">
          <line x1={x} x2={x} y1="20" y2={HEIGHT} />
          <rect x={flag - 32} y="0" width="64" height="20" rx="2" />
          <text x={flag} y="14" text-anchor="middle">
            {clockWithSeconds(cursor)}
          </text>
        </g>
      </svg>
    </div>
  );
}

/** A label is drawn whole or not at all. */
const fits = (text: string, room: number) => text.length * 6.4 + 12 < room;

function Life({
  run,
  scale,
  now,
}: {
  readonly run: RunJson;
  readonly scale: TimeScale;
  readonly now: number;
}) {
  const y = LANES.life;
  return (
    <g class="lane-life">
      {run.attempts.flatMap(({ number, agent, resumed, started_at, ended_at }) => {
        const from = ms(started_at);
        if (from === null) return [];
        const [left, right] = [scale.x(from), scale.x(ms(ended_at) ?? now)];
        const text = `attempt ${number} · ${resumed ? 'same conversation' : agent}`;
        const room = right - left;
        return [
          <g key={number} class={ended_at === null ? 'attempt running' : 'attempt'}>
            <title>{text}</title>
            <rect x={left} y={y + 2} width={Math.max(room, 2)} height="20" />
            {fits(text, room) ? (
              <text x={left + 6} y={y + 16}>
                {text}
              </text>
            ) : fits(String(number), room) ? (
              <text x={left + 6} y={y + 16}>
                {number}
              </text>
            ) : null}
          </g>,
        ];
      })}
      {run.waits.map((wait) => {
        const [left, right] = [scale.x(ms(wait.from) ?? now), scale.x(ms(wait.to) ?? now)];
        const kind =
          wait.for !== 'person' ? 'wait' : wait.to === null && run.word === 'needs_you' ? 'needs' : 'asked';
        return (
          <g key={wait.from} class={kind}>
            <title>{wait.reason}</title>
            <rect x={left} y={y + 2} width={Math.max(right - left, 2)} height="20" />
          </g>
        );
      })}
    </g>
  );
}

const CALL_HEIGHT = 34;

/** Few calls are a tick each; many are bars of four pixels, stacked the same way. */
function Calls({ slices, scale }: { readonly slices: readonly CallSlice[]; readonly scale: TimeScale }) {
  const bottom = LANES.calls + CALL_HEIGHT;
  const columns = new Map<number, { moved: number; failed: number; plain: number }>();
  for (const { at, to, moved, failed, plain } of slices) {
    const place = Math.round(scale.x((at + to) / 2) / 4) * 4;
    const sum = columns.get(place) ?? { moved: 0, failed: 0, plain: 0 };
    columns.set(place, { moved: sum.moved + moved, failed: sum.failed + failed, plain: sum.plain + plain });
  }
  const most = Math.max(
    1,
    ...[...columns.values()].map(({ moved, failed, plain }) => moved + failed + plain),
  );
  const single = most === 1;
  return (
    <g class="lane-calls">
      {[...columns].map(([x, { moved, failed, plain }]) => {
        if (single) {
          const kind = moved > 0 ? 'moved' : failed > 0 ? 'failed' : 'plain';
          const height = kind === 'moved' ? 24 : kind === 'failed' ? 16 : 10;
          return <rect key={x} class={kind} x={x - 1} width="2" y={bottom - height} height={height} />;
        }
        const tall = (count: number) => (count / most) * CALL_HEIGHT;
        return (
          <g key={x}>
            <rect class="plain" x={x - 1.5} width="3" y={bottom - tall(plain)} height={tall(plain)} />
            <rect
              class="failed"
              x={x - 1.5}
              width="3"
              y={bottom - tall(plain + failed)}
              height={tall(failed)}
            />
            <rect
              class="moved"
              x={x - 1.5}
              width="3"
              y={bottom - tall(plain + failed + moved)}
              height={tall(moved)}
            />
          </g>
        );
      })}
    </g>
  );
}

function Checkpoints({ run, scale }: { readonly run: RunJson; readonly scale: TimeScale }) {
  const y = LANES.checkpoints;
  let numbered = Number.NEGATIVE_INFINITY;
  let drawn = Number.NEGATIVE_INFINITY;
  return (
    <g class="lane-checkpoints">
      {run.checkpoints.flatMap(({ number, at, state }) => {
        const time = ms(at);
        if (time === null || state === 'failed') return [];
        const x = scale.x(time);
        if (x - drawn < 3) return [];
        drawn = x;
        const named = x - numbered >= 22;
        if (named) numbered = x;
        return [
          <g key={number}>
            <line x1={x} x2={x} y1={y + 2} y2={y + 18} />
            {named && (
              <text x={x + 4} y={y + 14}>
                {number}
              </text>
            )}
          </g>,
        ];
      })}
    </g>
  );
}

function Incidents({
  run,
  scale,
  now,
}: {
  readonly run: RunJson;
  readonly scale: TimeScale;
  readonly now: number;
}) {
  const y = LANES.incidents;
  let labelEnd = Number.NEGATIVE_INFINITY;
  return (
    <g class="lane-incidents">
      {run.incidents.flatMap(({ id, class: failure, detected_at, resumed_at, verified_at, outcome }) => {
        const from = ms(detected_at);
        if (from === null) return [];
        const over = ms(verified_at) ?? (outcome === null ? now : (ms(resumed_at) ?? from));
        const resumed = ms(resumed_at) ?? over;
        const [left, middle, right] = [scale.x(from), scale.x(Math.min(resumed, over)), scale.x(over)];
        const name = failure.replaceAll('_', ' ');
        const took = outcome === 'resolved' ? `unblocked in ${span(over - from)}` : (outcome ?? 'under way');
        const labelled = left > labelEnd + 8;
        if (labelled) labelEnd = left + Math.max(name.length, took.length) * 6.2;
        return [
          <g key={id}>
            <title>{`${name}: ${took}`}</title>
            <rect class="hollow" x={left} y={y} width={Math.max(right - left, 4)} height="7" />
            <rect class="solid" x={left} y={y} width={Math.max(middle - left, 4)} height="7" />
            {labelled && (
              <text class="name" x={left} y={y + 19}>
                {name}
              </text>
            )}
            {labelled && (
              <text class="took" x={left} y={y + 32}>
                {took}
              </text>
            )}
          </g>,
        ];
      })}
    </g>
  );
}

/** Checks that would touch are one mark; a failure is never hidden by a pass. */
function Checks({ run, scale }: { readonly run: RunJson; readonly scale: TimeScale }) {
  const y = LANES.checks;
  const marks: { x: number; passed: boolean; count: number; text: string }[] = [];
  for (const { at, passed, command, purpose } of run.checks) {
    const time = ms(at);
    if (time === null) continue;
    const x = scale.x(time);
    const before = marks.at(-1);
    const text = `${command} ${passed ? 'passed' : 'failed'}${purpose === 'baseline' ? ' before the work' : ''}`;
    if (before !== undefined && x - before.x < 14)
      marks[marks.length - 1] = {
        x: before.x,
        passed: before.passed && passed,
        count: before.count + 1,
        text: `${before.text}; ${text}`,
      };
    else marks.push({ x, passed, count: 1, text });
  }
  return (
    <g class="lane-checks">
      {marks.map(({ x, passed, count, text }, index) => {
        const room = (marks[index + 1]?.x ?? scale.x(scale.to) + EDGE) - x;
        const words = count > 1 ? `${count} checks` : passed ? 'passed' : 'failed';
        return (
          <g key={x} class={passed ? 'pass' : 'fail'}>
            <title>{text}</title>
            <path
              d={passed ? 'M0 5.5 3.5 9 10 1.5' : 'M1 1 9 9M9 1 1 9'}
              transform={`translate(${x - 5} ${y + 5})`}
              fill="none"
              stroke-width="2"
            />
            {fits(words, room - 12) && (
              <text x={x + 9} y={y + 14}>
                {words}
              </text>
            )}
          </g>
        );
      })}
    </g>
  );
}

interface CostShown {
  readonly points: TimelineDocument['cost'];
  readonly run: RunJson;
  readonly scale: TimeScale;
}

function Cost({ points, run, scale }: CostShown) {
  const last = points.at(-1);
  if (last === undefined) return null;
  const [top, bottom] = [LANES.cost + 4, HEIGHT - 2];
  // Room above the curve for its label.
  const most = Math.max(run.budget.cost_usd ?? 0, last.cost_usd * 1.9, 0.01);
  const y = (cost: number) => bottom - (cost / most) * (bottom - top);
  const steps = points
    .map(({ at, cost_usd }) => `H${scale.x(at).toFixed(1)}V${y(cost_usd).toFixed(1)}`)
    .join('');
  const path = `M${scale.x(scale.from)} ${bottom}${steps}H${scale.x(scale.to)}`;
  const text = `$${last.cost_usd.toFixed(2)}${run.budget.cost_usd === null ? '' : ` of $${run.budget.cost_usd}`}`;
  return (
    <g class="lane-cost">
      <path class="area" d={`${path}V${bottom}Z`} />
      <path class="curve" d={path} fill="none" />
      <text x={scale.x(scale.to) - 4} y={LANES.cost + 8} text-anchor="end">
        {text}
      </text>
    </g>
  );
}
