/**
 * `liveView`: the story of a run as scrolling lines with a moving status line and the keys below them; `movesAt`: whether lines can move
 * there. Without a terminal there is only the story.
 */
import { counted } from '../../core/text/counted.ts';
import type { RunEvent } from '../../core/vocabulary/events/event.ts';
import { currentAttempt, type RunState } from '../../core/state/run-state.ts';
import { totalUsage } from '../../core/state/usage.ts';
import { plainLine } from './plain.ts';
import { tell } from './story.ts';
import { ago, duration } from './time.ts';

const CLEAR_LINE = '\r\u001B[2K';
const LINE_UP = '\u001B[A';
/** How often the status line is redrawn at most. */
const REDRAW_MS = 1_000;

export interface LiveView {
  readonly event: (event: RunEvent, state: RunState) => void;
  readonly idle: (state: RunState) => void;
  /** Lines that a key asked for. */
  readonly print: (lines: readonly string[]) => void;
  readonly close: () => void;
}

export function movesAt(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv): boolean {
  return out.isTTY && env['TERM'] !== 'dumb' && !env['CI'];
}

/** `keys`: the foot line; null where no key is heard. */
export function liveView(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv, keys: string | null): LiveView {
  const moves = movesAt(out, env);
  const below = keys === null ? [] : [keys];
  let drawnAt = 0;
  let drawn = false;
  const clear = () => {
    if (drawn) out.write(CLEAR_LINE + `${LINE_UP}${CLEAR_LINE}`.repeat(below.length));
    drawn = false;
  };
  const print = (lines: readonly string[]) => {
    if (lines.length === 0) return;
    clear();
    out.write(`${lines.join('\n')}\n`);
    drawnAt = 0;
  };
  return {
    event: (event, state) => print(tell(event, state)),
    print,
    idle(state) {
      if (!moves || performance.now() - drawnAt < REDRAW_MS) return;
      drawnAt = performance.now();
      clear();
      const width = (out.columns || 80) - 1;
      out.write([status(state, Date.now()), ...below].map((line) => plainLine(line, width)).join('\n'));
      drawn = true;
    },
    close: clear,
  };
}

function status(state: RunState, now: number): string {
  const { life } = state;
  if (life.type === 'waiting' && life.until !== null && life.until > now)
    return `waiting ${duration(life.until - now)} more · ${life.reason}`;
  if (life.type === 'waiting')
    return `waiting${life.until === null ? '' : ' for another run to try first'} · ${life.reason} · mayday holds`;
  const attempt = currentAttempt(state);
  const { tokens, costUsd, turns } = totalUsage(state);
  const parts = [
    `${state.stage.padEnd(8)}${attempt?.agent.name ?? state.agent.name}`,
    duration(now - (attempt?.startedAt ?? state.createdAt)),
    turns > 0 ? counted(turns, 'turn') : null,
    tokens > 0 ? `${Math.round(tokens / 1000)}k tokens` : null,
    costUsd > 0 ? `$${costUsd.toFixed(2)}` : null,
    `last progress ${ago(state.progressAt, now)}`,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}
