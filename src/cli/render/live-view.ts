/** `liveView`: the story of a run as scrolling lines; on a terminal, below them, what it does now and the keys. */
import { counted } from '../../core/text/counted.ts';
import type { RunEvent } from '../../core/vocabulary/events/event.ts';
import { bindingHold } from '../../core/vocabulary/hold.ts';
import { currentAttempt, type RunState } from '../../core/state/run-state.ts';
import { totalUsage } from '../../core/state/usage.ts';
import { lastChangeAt, lastProgressAt, limitsAhead, whyLine } from '../../core/view/run-line.ts';
import { pauseBefore } from '../../core/view/held-words.ts';
import type { LiveActivity } from '../agent-activity.ts';
import { forTerminal, type Out } from '../write-text.ts';
import { paint, type Tone, usesColour } from './colour.ts';
import { nearLimits } from './limits.ts';
import { plainLine } from './plain.ts';
import { tell } from './story.ts';
import { ago, clockTime, duration } from './time.ts';

const CLEAR_LINE = '\r\u001B[2K';
const LINE_UP = '\u001B[A';
const REDRAW_MS = 1_000;
/** As the story has it. */
const LABEL = 8;

export interface LiveView {
  readonly event: (event: RunEvent, state: RunState) => void;
  readonly idle: (state: RunState) => Promise<void>;
  /** Lines that a key asked for. */
  readonly print: (lines: readonly string[]) => void;
  readonly close: () => void;
}

export interface LiveParts {
  readonly look: (state: RunState) => Promise<LiveActivity>;
  /** The foot line; null where no key is heard. */
  readonly keys: string | null;
}

export function movesAt(out: Out, env: NodeJS.ProcessEnv): boolean {
  return out.isTTY === true && env['TERM'] !== 'dumb' && !env['CI'];
}

export function liveView(out: Out, env: NodeJS.ProcessEnv, { look, keys }: LiveParts): LiveView {
  const moves = movesAt(out, env);
  const colour = usesColour(out, env);
  let drawnAt = 0;
  let drawn = 0;
  let toldSlow = false;
  const clear = () => {
    if (drawn > 0) out.write(CLEAR_LINE + `${LINE_UP}${CLEAR_LINE}`.repeat(drawn - 1));
    drawn = 0;
  };
  const print = (lines: readonly string[]) => {
    if (lines.length === 0) return;
    clear();
    out.write(`${lines.join('\n')}\n`);
    drawnAt = 0;
  };
  return {
    event: (event, state) => print(forTerminal(out, env, tell(event, state), toneOf(event, state))),
    print,
    async idle(state) {
      if (!moves && !toldSlow && slowWords(state, Date.now()).length > 0) {
        toldSlow = true;
        print([`        … ${stepWords(state, Date.now())}`]);
      }
      if (!moves || performance.now() - drawnAt < REDRAW_MS) return;
      drawnAt = performance.now();
      const lines = nowLines(state, await look(state), Date.now());
      clear();
      const width = (out.columns || 80) - 1;
      const shown: readonly NowLine[] = keys === null ? lines : [...lines, ['', keys, 'quiet']];
      out.write(
        shown
          .map(([label, text, tone]) =>
            paint(`${label.padEnd(LABEL)}${plainLine(text, width - LABEL)}`, tone, colour),
          )
          .join('\n'),
      );
      drawn = shown.length;
    },
    close: clear,
  };
}

type NowLine = readonly [label: string, text: string, tone: Tone | null];

export function nowLines(state: RunState, { calls, said, files }: LiveActivity, now: number): NowLine[] {
  const { life } = state;
  const changed: NowLine[] =
    files.length === 0
      ? []
      : [['', `${counted(files.length, 'file')} changed: ${files.join(', ')}`, 'quiet']];
  if (life.type === 'waiting') return [['waiting', waitingWords(state, life, now), 'waiting'], ...changed];
  const near = nearLimits(limitsAhead(state), now);
  const call = calls.at(-1);
  const more = calls.length > 1 ? ` · ${calls.length - 1} more at once` : '';
  return [
    [
      // What Mayday does itself is a whole sentence.
      life.type === 'working' ? state.stage : '',
      life.type === 'working' ? spentWords(state, files.length > 0, now) : stepWords(state, now),
      'strong',
    ],
    ...(call === undefined
      ? []
      : [['now', `${duration(now - call.at)}${more} · ${call.words}`, null] satisfies NowLine]),
    ...(said === '' ? [] : [['says', said, null] satisfies NowLine]),
    ...changed,
    ...(near.length === 0 ? [] : [['limit', `near: ${near.join(' · ')}`, 'needs'] satisfies NowLine]),
  ];
}

function waitingWords(
  state: RunState,
  { until, reason }: Extract<RunState['life'], { type: 'waiting' }>,
  now: number,
): string {
  const hold = bindingHold(state.holds);
  // Its own pause may end before the answer comes that it waits for as well.
  if (hold !== undefined && hold.until === null) {
    const notBefore = limitsAhead(state).flatMap((limit) =>
      limit.kind === 'not_before' && limit.until > now ? ` · not before ${clockTime(limit.until)}` : [],
    );
    return `${whyLine(state)}${notBefore.join('')} · mayday holds`;
  }
  if (until !== null && until > now) return `${duration(until - now)} more · ${pauseBefore(state) ?? reason}`;
  return `${until === null ? '' : 'for another run to try first · '}${reason} · mayday holds`;
}

function stepWords(state: RunState, now: number): string {
  return [whyLine(state), ...slowWords(state, now), duration(now - state.updatedAt)].join(' · ');
}

/** A shorter step needs no excuse. */
const SLOW_MS = 3_000;

function slowWords({ life, workspace, updatedAt }: RunState, now: number): readonly string[] {
  return life.type === 'preparing' && workspace === null && now - updatedAt >= SLOW_MS
    ? ['every file is checked out and saved as checkpoint 0, which takes a while in a large repository']
    : [];
}

function spentWords(state: RunState, hasChanges: boolean, now: number): string {
  const attempt = currentAttempt(state);
  const since = attempt?.startedAt ?? state.createdAt;
  const parts = [attempt?.agent.name ?? state.agent.name, duration(now - since), ...usageWords(state)];
  return [...parts, progressWords(state, hasChanges, now) ?? []].flat().join(' · ');
}

export function usageWords(state: RunState): string[] {
  const { tokens, costUsd, turns } = totalUsage(state);
  return [
    ...(turns > 0 ? [counted(turns, 'turn')] : []),
    ...(tokens > 0 ? [`${Math.round(tokens / 1000)}k tokens`] : []),
    ...(costUsd > 0 ? [`$${costUsd.toFixed(2)}`] : []),
  ];
}

/** Null where files have changed that no look has judged yet, or before the first look: "no progress" would be wrong. */
export function progressWords(state: RunState, hasChanges: boolean, now: number): string | null {
  const at = lastProgressAt(state);
  if (at !== null) return `last progress ${ago(at, now)}`;
  const changedAt = lastChangeAt(state);
  if (hasChanges) return null;
  if (changedAt !== null) return `files changed ${ago(changedAt, now)}`;
  return hasLooked(state, now) ? 'no progress yet' : null;
}

function hasLooked({ attempts, policy }: RunState, now: number): boolean {
  const { startedAt = null, examination = null } = attempts.at(-1) ?? {};
  return examination !== null || (startedAt !== null && now - startedAt > policy.snapshot_every_ms);
}

/** Colour never stands alone: the mark at the beginning of the line says the same. */
const TONES: Partial<Readonly<Record<RunEvent['type'], Tone>>> = {
  run_created: 'strong',
  attempt_ended: 'trouble',
  blocked: 'trouble',
  command_failed: 'trouble',
  forgery_refused: 'trouble',
  incident_resolved: 'proven',
  waiting: 'waiting',
};

function toneOf(event: RunEvent, { task }: RunState): Tone | null {
  if (event.type === 'signal_raised') return event.signal.severity === 'critical' ? 'trouble' : 'needs';
  if (event.type === 'gate_passed')
    return event.waived === true || task.checks.length === 0 ? 'needs' : 'proven';
  if (event.type === 'checks_finished' && event.purpose !== 'baseline')
    return event.results.every(({ passed }) => passed) ? 'proven' : 'trouble';
  return TONES[event.type] ?? null;
}
