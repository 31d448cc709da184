/** `liveView`: the story of a run as scrolling lines with one moving status line below them. Without a terminal there is no status line. */
import type { RunEvent } from '../../core/vocabulary/event.ts';
import { currentAttempt, type RunState } from '../../core/state/run-state.ts';
import { totalUsage } from '../../core/state/usage.ts';
import { plainLine } from './plain.ts';
import { tell } from './story.ts';
import { ago, duration } from './time.ts';

const CLEAR_LINE = '\r\u001B[2K';
/** How often the status line is redrawn at most. */
const REDRAW_MS = 1_000;

export interface LiveView {
  readonly event: (event: RunEvent, state: RunState) => void;
  readonly idle: (state: RunState) => void;
  readonly close: () => void;
}

export function liveView(out: NodeJS.WriteStream, env: NodeJS.ProcessEnv): LiveView {
  const moves = out.isTTY && env['TERM'] !== 'dumb' && !env['CI'];
  let drawnAt = 0;
  let drawn = false;
  const clear = () => {
    if (drawn) out.write(CLEAR_LINE);
    drawn = false;
  };
  return {
    event(event, state) {
      const lines = tell(event, state);
      if (lines.length === 0) return;
      clear();
      out.write(`${lines.join('\n')}\n`);
      drawnAt = 0;
    },
    idle(state) {
      if (!moves || performance.now() - drawnAt < REDRAW_MS) return;
      drawnAt = performance.now();
      clear();
      out.write(plainLine(status(state, Date.now()), (out.columns ?? 80) - 1));
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
    turns > 0 ? `${turns} turns` : null,
    tokens > 0 ? `${Math.round(tokens / 1000)}k tokens` : null,
    costUsd > 0 ? `$${costUsd.toFixed(2)}` : null,
    `last progress ${ago(state.progressAt, now)}`,
  ];
  return parts.filter((part) => part !== null).join(' · ');
}
