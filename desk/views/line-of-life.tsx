/**
 * `LineOfLife`, `Axis`, `axisOf`: a run on the time axis that all runs of the list share. Thick: the work moved; thin: alive without
 * progress; dotted: not looked at yet; hollow: Mayday prepares or checks; hatched: waits; filled: needs a person now; brackets above:
 * incidents; ticks below: checkpoints; dashes: the future.
 */
import { counted } from '../../src/core/text/counted.ts';
import { isOverWord } from '../../src/core/view/list-order.ts';
import { type Piece, piecesOf } from '../../src/http/life-pieces.ts';
import type { LineDocument } from '../../src/http/line-document.ts';
import { clock, clockWithSeconds, ms } from '../time.ts';

export interface TimeAxis {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** How many times have room on it; 0: it has none, and no lines for them. */
  readonly times: number;
}

const TIMES = 7;
/** Few enough to be read on a phone, each with its line. */
export const PHONE_TIMES = 3;

const MINUTE = 60_000;
/** The past gets this share of the width; the rest shows when runs go on. */
const PAST_SHARE = 0.74;
const HEIGHT = 34;
/** Above it the brackets of incidents and their words, below it the ticks of checkpoints. */
const MIDDLE = 21;
const BRACKET = MIDDLE - 10;
/** A question that was answered keeps its height and its colour, and is no longer filled. */
const HEIGHTS = { moved: 8, alive: 2, wait: 8, needs: 12, asked: 12, own: 4 };
/** Words of brackets that are closer than this share of the line would lie on each other. */
const WORDS_APART = 22;
/** No time stands closer to now than this, in percent; on a phone it has less room. */
const NEAR_NOW = 9;
const PHONE_NEAR = 18;
const NEAR_EDGE = 3;
/** From here on, in percent, words end at their mark instead of beginning there. */
const NEAR_END = 40;

export function axisOf(now: number, windowMs: number): TimeAxis {
  return { from: now - windowMs, to: now + windowMs * (1 / PAST_SHARE - 1), now, times: TIMES };
}

function percent(at: number, { from, to }: TimeAxis): number {
  return Math.min(Math.max((at - from) / (to - from), 0), 1) * 100;
}

interface LifeShown {
  readonly line: LineDocument;
  readonly axis: TimeAxis;
  /** Its question was answered then; the run may not know it yet. */
  readonly answeredAt?: number | undefined;
}

/** Until the answer it needed a person, and that is over; from there on it waits. The clock of the page may be behind the answer. */
function answeredFrom(pieces: readonly Piece[], at: number): readonly Piece[] {
  return pieces.flatMap((piece): Piece[] =>
    piece.kind !== 'needs'
      ? [piece]
      : [
          { ...piece, to: Math.min(piece.to, at), kind: 'asked' },
          ...(piece.to > at ? [{ ...piece, from: at, kind: 'wait' as const }] : []),
        ],
  );
}

export function LineOfLife({ line, axis, answeredAt }: LifeShown) {
  const pieces = piecesOf(line, axis.now);
  const at = (time: number) => percent(time, axis);
  const seen = (from: number, to: number) => to >= axis.from && from <= axis.to;
  const goesOn = line.limits.find(({ kind }) => kind === 'goes_on');
  const until = goesOn !== undefined && 'until' in goesOn ? ms(goesOn.until) : null;
  const ended = isOverWord(line.word) ? ms(line.updated_at) : null;
  let named = Number.NEGATIVE_INFINITY;
  const incidents = line.incidents.flatMap(({ id, class: failure, detected_at, verified_at, outcome }) => {
    const from = ms(detected_at);
    const to = ms(verified_at) ?? (outcome === null ? axis.now : from);
    if (from === null || to === null || !seen(from, to)) return [];
    // Of a run that several things keep, the row tells what decides; its trouble is in the title and on its page.
    const isNamed = at(from) - named >= WORDS_APART && !(outcome === null && line.why_parts.length > 0);
    if (isNamed) named = at(from);
    return [{ id, name: failure.replaceAll('_', ' '), from, to, isNamed }];
  });
  const began = ms(line.created_at);
  const isCut = began !== null && began < axis.from;
  const wide = (from: number, to: number) => Math.max(at(to) - at(from), 0);
  return (
    <div class="life" role="img" aria-label={sentence(line)}>
      <svg width="100%" height={HEIGHT} aria-hidden="true">
        {ticks(axis).map((time) => (
          <line key={time} class="grid" x1={`${at(time)}%`} x2={`${at(time)}%`} y1="0" y2={HEIGHT} />
        ))}
        <line class="now" x1={`${at(axis.now)}%`} x2={`${at(axis.now)}%`} y1="0" y2={HEIGHT} />
        {(answeredAt === undefined ? pieces : answeredFrom(pieces, answeredAt))
          .filter(({ from, to }) => seen(from, to))
          .map(({ from, to, kind }) => {
            const x = { x1: `${at(from)}%`, x2: `${at(to)}%` };
            if (kind === 'unseen')
              return <line key={`${kind}${from}`} class={kind} {...x} y1={MIDDLE} y2={MIDDLE} />;
            const height = HEIGHTS[kind];
            return (
              <rect
                key={`${kind}${from}`}
                class={kind}
                x={`${at(from)}%`}
                width={`${wide(from, to)}%`}
                y={MIDDLE - height / 2}
                height={height}
              />
            );
          })}
        {line.checkpoints.flatMap(({ number, at: taken }) => {
          const time = ms(taken);
          return time === null || !seen(time, time)
            ? []
            : [
                <line
                  key={number}
                  class="tick"
                  x1={`${at(time)}%`}
                  x2={`${at(time)}%`}
                  y1={MIDDLE + 8}
                  y2={MIDDLE + 12}
                />,
              ];
        })}
        {incidents.map(({ id, name, from, to, isNamed }) => (
          <g key={id} class="incident">
            <title>{name}</title>
            {isNamed && (
              <text
                x={`${at(from) > NEAR_END ? at(to) : at(from)}%`}
                dx={at(from) > NEAR_END ? -3 : 0}
                y={BRACKET - 2}
                text-anchor={at(from) > NEAR_END ? 'end' : 'start'}
              >
                {name}
              </text>
            )}
            <rect x={`${at(from)}%`} width={`${Math.max(wide(from, to), 0.4)}%`} y={BRACKET} height="2" />
            <rect x={`${at(from)}%`} width="2" y={BRACKET} height="4" />
            {to < axis.now && <rect x={`${at(to)}%`} width="2" y={BRACKET} height="4" />}
          </g>
        ))}
        {until !== null && until > axis.now && (
          <line class="ahead" x1={`${at(axis.now)}%`} x2={`${at(until)}%`} y1={MIDDLE} y2={MIDDLE} />
        )}
        {until !== null && until > axis.now && until <= axis.to && (
          <g>
            <line class="wakes" x1={`${at(until)}%`} x2={`${at(until)}%`} y1={MIDDLE - 5} y2={MIDDLE + 5} />
            <text
              x={`${at(until)}%`}
              dx={at(until) > 88 ? -6 : 6}
              y={MIDDLE + 4}
              text-anchor={at(until) > 88 ? 'end' : 'start'}
            >
              {tickText(until, axis)}
            </text>
          </g>
        )}
        {isCut && (
          <g class="earlier">
            <title>it began before the time that is shown</title>
            <path d={`M6 ${MIDDLE - 5} 0 ${MIDDLE} 6 ${MIDDLE + 5}z`} />
            <text x="0" y={HEIGHT - 1}>
              earlier
            </text>
          </g>
        )}
        {ended !== null && seen(ended, ended) && (
          <rect class={`end ${line.word}`} x={`${at(ended)}%`} y={MIDDLE - 6} width="4" height="12" />
        )}
      </svg>
    </div>
  );
}

/** The SVG as one sentence: for a screen reader the row says the rest. */
function sentence({ run_id, attempts, incidents, checkpoints }: LineDocument): string {
  const many = (list: readonly unknown[], noun: string) => counted(list.length, noun);
  return `line of life of ${run_id}: ${many(attempts, 'attempt')}, ${many(incidents, 'incident')}, ${many(checkpoints, 'checkpoint')}`;
}

const STEPS = [1 / 4, 1 / 2, 1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1_440].map(
  (minutes) => minutes * MINUTE,
);

function stepOf({ from, to, times }: TimeAxis): number {
  return STEPS.find((one) => (to - from) / one <= times) ?? 1_440 * MINUTE;
}

/** Round times, as many as have room; none so near to now or to an end that its words would touch them. */
function ticks(axis: TimeAxis): readonly number[] {
  const { from, to, now, times } = axis;
  if (times === 0) return [];
  const step = stepOf(axis);
  const zone = new Date(from).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((from - zone) / step) * step + zone;
  const near = times === PHONE_TIMES ? PHONE_NEAR : NEAR_NOW;
  return Array.from(
    { length: Math.floor((to - first) / step) + 1 },
    (_, index) => first + index * step,
  ).filter((time) => {
    const at = percent(time, axis);
    return Math.abs(at - percent(now, axis)) > near && at > NEAR_EDGE && at < 100 - NEAR_EDGE;
  });
}

function tickText(time: number, axis: TimeAxis): string {
  return stepOf(axis) < MINUTE ? clockWithSeconds(time) : clock(time, axis.now);
}

export function Axis({ axis }: { readonly axis: TimeAxis }) {
  return (
    <div class="life axis" aria-hidden="true">
      {ticks(axis).map((time) => (
        <span key={time} class="tick" style={{ left: `${percent(time, axis)}%` }}>
          {tickText(time, axis)}
        </span>
      ))}
      <b style={{ left: `${percent(axis.now, axis)}%` }}>now</b>
    </div>
  );
}
