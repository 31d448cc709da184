/**
 * `LineOfLife`, `Axis`, `axisOf`: a run on the time axis that all runs of the list share. Thick: the work moved; thin: alive without
 * progress; dotted: not looked at yet; hatched: waits; filled: needs a person now; brackets above: incidents; ticks below: checkpoints;
 * dashes: the future.
 */
import { counted } from '../../src/core/text/counted.ts';
import type { LineDocument } from '../../src/http/line-document.ts';
import { clock, ms } from '../time.ts';

export interface TimeAxis {
  readonly from: number;
  readonly to: number;
  readonly now: number;
}

const MINUTE = 60_000;
export const WINDOWS = [
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
/** The past gets this share of the width; the rest shows when runs go on. */
const PAST_SHARE = 0.74;
const MIDDLE = 22;

export function axisOf(now: number, windowMs: number): TimeAxis {
  return { from: now - windowMs, to: now + windowMs * (1 / PAST_SHARE - 1), now };
}

/** The narrowest window that shows the living runs from their beginning, eight hours at most. */
export function fittingWindow(lines: Iterable<LineDocument>, now: number): number {
  const living = [...lines].filter(({ word }) => !['delivered', 'unverified', 'abandoned'].includes(word));
  const earliest = Math.min(now, ...living.map(({ created_at }) => ms(created_at) ?? now));
  return WINDOWS.find((one) => one >= now - earliest) ?? 8 * 60 * MINUTE;
}

function percent(at: number, { from, to }: TimeAxis): number {
  return Math.min(Math.max((at - from) / (to - from), 0), 1) * 100;
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly class: string;
}

function piecesOf(line: LineDocument, now: number): readonly Piece[] {
  const work = line.attempts.flatMap(({ started_at, ended_at, moved, looks_every_ms }): Piece[] => {
    const started = ms(started_at);
    if (started === null) return [];
    let from = started;
    const to = ms(ended_at) ?? now;
    const pieces: Piece[] = [];
    for (const span of moved) {
      const begun = ms(span.from) ?? started;
      const ended: number = ms(span.to) ?? begun;
      pieces.push({ from, to: begun, class: 'alive' }, { from: begun, to: ended, class: 'moved' });
      from = ended;
    }
    // The end of an attempt is looked at; of a living one the time since the last look is not known.
    const looked = ended_at === null ? Math.max(from, to - looks_every_ms) : to;
    return [...pieces, { from, to: looked, class: 'alive' }, { from: looked, to, class: 'unseen' }];
  });
  const waits = line.waits.map(({ from, to, for: what }): Piece => {
    const open = to === null;
    const kind = what !== 'person' ? 'wait' : open && line.word === 'needs_you' ? 'needs' : 'asked';
    return { from: ms(from) ?? now, to: ms(to) ?? now, class: kind };
  });
  return [...work, ...waits].filter(({ from, to }) => to > from);
}

export function LineOfLife({ line, axis }: { readonly line: LineDocument; readonly axis: TimeAxis }) {
  const at = (time: number) => percent(time, axis);
  const seen = (from: number, to: number) => to >= axis.from && from <= axis.to;
  const goesOn = line.limits.find(({ kind }) => kind === 'goes_on');
  const until = goesOn !== undefined && 'until' in goesOn ? ms(goesOn.until) : null;
  const ended = ['delivered', 'unverified', 'abandoned'].includes(line.word) ? ms(line.updated_at) : null;
  const incidents = line.incidents.flatMap(({ id, class: failure, detected_at, verified_at, outcome }) => {
    const from = ms(detected_at);
    const to = ms(verified_at) ?? (outcome === null ? axis.now : from);
    return from !== null && to !== null && seen(from, to) ? [{ id, failure, from, to }] : [];
  });
  const wide = (from: number, to: number) => Math.max(at(to) - at(from), 0);
  return (
    <div class="life" role="img" aria-label={sentence(line)}>
      <svg width="100%" height="44" aria-hidden="true">
        <line class="now" x1={`${at(axis.now)}%`} x2={`${at(axis.now)}%`} y1="0" y2="44" />
        {piecesOf(line, axis.now)
          .filter(({ from, to }) => seen(from, to))
          .map(({ from, to, class: kind }) => {
            const x = { x1: `${at(from)}%`, x2: `${at(to)}%` };
            if (kind === 'unseen')
              return <line key={`${kind}${from}`} class={kind} {...x} y1={MIDDLE} y2={MIDDLE} />;
            const thin = kind === 'alive';
            const tall = kind === 'needs';
            const height = thin ? 2 : tall ? 12 : 8;
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
                  y1={MIDDLE + 7}
                  y2={MIDDLE + 12}
                />,
              ];
        })}
        {incidents.map(({ id, failure, from, to }) => (
          <g key={id} class="incident">
            <title>{failure}</title>
            <rect x={`${at(from)}%`} width={`${Math.max(wide(from, to), 0.4)}%`} y={MIDDLE - 13} height="2" />
            <rect x={`${at(from)}%`} width="2" y={MIDDLE - 13} height="5" />
            {to < axis.now && <rect x={`${at(to)}%`} width="2" y={MIDDLE - 13} height="5" />}
          </g>
        ))}
        {until !== null && until > axis.now && (
          <line class="ahead" x1={`${at(axis.now)}%`} x2={`${at(until)}%`} y1={MIDDLE} y2={MIDDLE} />
        )}
        {until !== null && until > axis.now && until <= axis.to && (
          <line class="wakes" x1={`${at(until)}%`} x2={`${at(until)}%`} y1={MIDDLE - 5} y2={MIDDLE + 5} />
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

/** Round times, about six of them. */
function ticks({ from, to }: TimeAxis): readonly number[] {
  const steps = [1, 2, 5, 10, 15, 30, 60, 120, 240, 720, 1_440].map((minutes) => minutes * MINUTE);
  const step = steps.find((one) => (to - from) / one <= 7) ?? 1_440 * MINUTE;
  const zone = new Date(from).getTimezoneOffset() * MINUTE;
  const first = Math.ceil((from - zone) / step) * step + zone;
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step);
}

export function Axis({ axis }: { readonly axis: TimeAxis }) {
  const nowAt = percent(axis.now, axis);
  return (
    <div class="life axis" aria-hidden="true">
      {ticks(axis)
        .map((time) => ({ time, at: percent(time, axis) }))
        .filter(({ at }) => Math.abs(at - nowAt) > 7 && at > 3 && at < 97)
        .map(({ time, at }) => (
          <span key={time} style={{ left: `${at}%` }}>
            {clock(time, axis.now)}
          </span>
        ))}
      <b style={{ left: `${nowAt}%` }}>now</b>
    </div>
  );
}
