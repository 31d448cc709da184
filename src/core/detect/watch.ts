/**
 * `watchNext`, `createWatch`, `watchOver`: run all detectors over one attempt and advise by their signals: `progressing` without a
 * signal, `warn` after one warning, `nudge` after two different warnings, `stop` after a critical signal, `unknown` if too little was seen.
 * The ladder decides.
 */
import type { Signal } from '../vocabulary/signal.ts';
import type { TranscriptEntry, TranscriptType } from '../vocabulary/transcript.ts';
import { DEFAULT_POLICY } from '../vocabulary/policy.ts';
import { DETECTORS } from './detectors.ts';
import type { DetectPolicy, Detector, Heard, Moment } from './detector.ts';
import { stalled, type StalledState } from './detectors/silence/stalled.ts';
import { followLife, NO_LIFE } from './life.ts';
import type { Tick } from './tick.ts';
import { EMPTY_TRAIL, followTrail } from './trail.ts';
import type { AgentTurn } from './agent-turn.ts';

export type WatchAdvice = 'unknown' | 'progressing' | 'warn' | 'nudge' | 'stop';

export interface Watch extends Pick<Moment, 'policy' | 'step' | 'trail' | 'life'> {
  readonly states: readonly unknown[];
  /** The worst signal of each type since the last progress. */
  readonly standing: readonly Signal[];
  readonly turnsSeen: number;
  readonly advice: WatchAdvice;
}

export interface Watched {
  readonly watch: Watch;
  readonly signals: readonly Signal[];
  /** The turn that this entry completed. */
  readonly turn: AgentTurn | null;
}

/** With fewer completed calls the state of a run is unknown. */
const TELLING_TURNS = 3;

export function createWatch(policy: Partial<DetectPolicy> = {}): Watch {
  return {
    policy: { ...DEFAULT_POLICY, scope: [], ...policy },
    step: -1,
    trail: EMPTY_TRAIL,
    life: NO_LIFE,
    states: DETECTORS.map((detector) => detector.init),
    standing: [],
    turnsSeen: 0,
    advice: 'unknown',
  };
}

export function watchNext(watch: Watch, entry: TranscriptEntry | Tick): Watched {
  const step = entry.type === 'tick' ? watch.step : watch.step + 1;
  const { trail, turn } =
    entry.type === 'tick' ? { trail: watch.trail, turn: null } : followTrail(watch.trail, entry, step);
  const isNewTrail = trail.turns.length === 0 && watch.trail.turns.length > 0;
  const life = followLife(watch.life, entry, watch.policy);
  const moment: Moment = { entry, step, turn, trail, life, policy: watch.policy };
  const signals: Signal[] = [];
  let { states } = watch;
  for (const index of listenersAt(entry, turn, isNewTrail)) {
    const state = states[index];
    // By index: to destructure an array goes through its iterator, for every detector at every entry.
    const { 0: next, 1: raised } = (DETECTORS[index] as Detector<unknown>).next(state, moment);
    if (raised.length > 0) signals.push(...raised);
    if (next === state) continue;
    if (states === watch.states) states = watch.states.slice();
    (states as unknown[])[index] = next;
  }
  const progressed = trail.progressStep > watch.trail.progressStep;
  const standing =
    signals.length === 0 && !progressed ? watch.standing : merge(progressed ? [] : watch.standing, signals);
  const turnsSeen = watch.turnsSeen + (turn === null ? 0 : 1);
  const advice = advise(standing, turnsSeen);
  return {
    watch: { policy: watch.policy, step, trail, life, states, standing, turnsSeen, advice },
    signals,
    turn,
  };
}

/** All that the detectors make of a whole transcript, entry by entry. */
export function* watchOver(
  entries: Iterable<TranscriptEntry | Tick>,
  policy: Partial<DetectPolicy> = {},
): Generator<Watched> {
  let watch = createWatch(policy);
  for (const entry of entries) {
    const watched = watchNext(watch, entry);
    watch = watched.watch;
    yield watched;
  }
}

/** Most entries concern few detectors; hundreds of runs on one host are read at once. */
const indicesOf = (...heard: readonly Heard[]): readonly number[] =>
  DETECTORS.flatMap(({ hears }, index) =>
    hears === undefined || heard.some((each) => hears.includes(each)) ? [index] : [],
  );
const listenersTo = (type: TranscriptType | Tick['type']) => ({
  alone: indicesOf(type),
  withTurn: indicesOf(type, 'turn'),
  withNewTrail: indicesOf(type, 'new_trail'),
});
const LISTENERS: Readonly<Record<TranscriptType | Tick['type'], ReturnType<typeof listenersTo>>> = {
  session: listenersTo('session'),
  message: listenersTo('message'),
  tool_call: listenersTo('tool_call'),
  tool_result: listenersTo('tool_result'),
  usage: listenersTo('usage'),
  retry: listenersTo('retry'),
  error: listenersTo('error'),
  compaction: listenersTo('compaction'),
  result: listenersTo('result'),
  progress: listenersTo('progress'),
  output: listenersTo('output'),
  unknown: listenersTo('unknown'),
  tick: listenersTo('tick'),
};

function listenersAt(
  { type }: TranscriptEntry | Tick,
  turn: AgentTurn | null,
  isNewTrail: boolean,
): readonly number[] {
  const { alone, withTurn, withNewTrail } = LISTENERS[type];
  return turn !== null ? withTurn : isNewTrail ? withNewTrail : alone;
}

/**
 * True: the last tick found the agent silent, and the next one will raise the signal. Now the keeper should look for other signs of life.
 */
export function suspectsStall({ states }: Watch): boolean {
  return (states[DETECTORS.indexOf(stalled as Detector<unknown>)] as StalledState).suspected;
}

function merge(standing: readonly Signal[], raised: readonly Signal[]): readonly Signal[] {
  const worst = new Map(standing.map((signal) => [signal.type, signal]));
  for (const signal of raised) {
    const known = worst.get(signal.type);
    if (known === undefined || known.severity === 'warning') worst.set(signal.type, signal);
  }
  return [...worst.values()];
}

function advise(standing: readonly Signal[], turnsSeen: number): WatchAdvice {
  if (standing.some((signal) => signal.severity === 'critical')) return 'stop';
  if (standing.length > 1) return 'nudge';
  if (standing.length === 1) return 'warn';
  return turnsSeen < TELLING_TURNS ? 'unknown' : 'progressing';
}
