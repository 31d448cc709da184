/**
 * `watchNext`, `createWatch`, `watchOver`: run all detectors over one attempt and advise by their signals: `progressing` without a
 * signal, `warn` after one warning, `nudge` after two different warnings, `stop` after a critical signal, `unknown` if too little was seen.
 * The ladder decides.
 */
import type { Signal } from '../vocabulary/signal.ts';
import type { TranscriptEntry } from '../vocabulary/transcript.ts';
import { DEFAULT_POLICY } from '../vocabulary/policy.ts';
import { DETECTORS } from './detectors.ts';
import type { DetectPolicy, Detector, Moment } from './detector.ts';
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
  const life = followLife(watch.life, entry, watch.policy);
  const moment: Moment = { entry, step, turn, trail, life, policy: watch.policy };
  const signals: Signal[] = [];
  const states: unknown[] = [];
  for (const [index, detector] of DETECTORS.entries()) {
    const [state, raised] = detector.next(watch.states[index], moment);
    states.push(state);
    signals.push(...raised);
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
