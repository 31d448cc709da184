/** What a simulated agent does with its life: told by the world's outages first, by chance otherwise. */
import { observedDiagnosis } from '../../src/core/decide/recovery/incident-diagnosis.ts';
import type { Examination, ExitFacts } from '../../src/core/vocabulary/events/event.ts';
import type { SignalType } from '../../src/core/vocabulary/signal.ts';
import { EXAMINATION } from '../core/story.ts';
import type { Random } from './random.ts';

/** Whose fault the end was, as the world knows it. */
export type Cause =
  | 'fault'
  | 'outage'
  | 'limit'
  | 'overload'
  | 'login'
  | 'shared'
  | 'done'
  | 'lie'
  | 'word'
  | 'host';

export interface AgentLife {
  readonly cause: Cause;
  /** Ends by itself after that long; null: only a stop ends it. */
  readonly endsInMs: number | null;
  readonly exit: Pick<ExitFacts, 'exitCode' | 'signal'>;
  /** What the examination will say. */
  readonly says: Partial<Examination>;
  /** Changes the tree that long after its start; `good`: the checks will pass. */
  readonly writes: { readonly inMs: number; readonly good: boolean } | null;
  /** What the watch notices, and when. */
  readonly signal: {
    readonly inMs: number;
    readonly type: SignalType;
    /** Only a pause: whoever looks twice sees it go on. */
    readonly passes: boolean;
  } | null;
  readonly usageTokens: number;
  readonly ignoresTerm: boolean;
  /** Survives KILL for that long (uninterruptible). */
  readonly diesLateMs: number;
}

const QUIET: AgentLife = {
  cause: 'fault',
  endsInMs: 1_000,
  exit: { exitCode: 1, signal: null },
  says: EXAMINATION,
  writes: null,
  signal: null,
  usageTokens: 0,
  ignoresTerm: false,
  diesLateMs: 0,
};

export interface Surroundings {
  readonly networkDown: boolean;
  readonly limitedUntil: number | null;
  readonly overloadedUntil: number | null;
  readonly loginExpired: boolean;
  readonly sharedFault: boolean;
  /** Everybody behaves: the end of a world, to see that all runs end. */
  readonly calm: boolean;
  readonly timeoutMs: number;
}

export function agentLife(random: Random, now: number, world: Surroundings): AgentLife {
  if (world.calm) return done(random, true);
  if (world.networkDown)
    return {
      ...QUIET,
      cause: 'outage',
      endsInMs: random.between(100, 3_000),
      says: told('network_failure', null),
    };
  if (world.loginExpired)
    return {
      ...QUIET,
      cause: 'login',
      endsInMs: random.between(100, 2_000),
      says: told('auth_failure', null),
    };
  if (world.limitedUntil !== null && world.limitedUntil > now) {
    // Announced resets are right, early, or missing.
    const retryAt = random.pick([world.limitedUntil, world.limitedUntil - 20_000, null]);
    return {
      ...QUIET,
      cause: 'limit',
      endsInMs: random.between(100, 4_000),
      says: told('rate_limited', retryAt),
    };
  }
  if (world.overloadedUntil !== null && world.overloadedUntil > now)
    return {
      ...QUIET,
      cause: 'overload',
      endsInMs: random.between(100, 4_000),
      says: told('overloaded', null),
    };
  if (world.sharedFault)
    return {
      ...QUIET,
      cause: 'shared',
      endsInMs: random.between(100, 2_000),
      exit: { exitCode: 7, signal: null },
    };
  return byChance(random, world.timeoutMs);
}

function byChance(random: Random, timeoutMs: number): AgentLife {
  const stubborn = { ignoresTerm: random.chance(0.2), diesLateMs: random.chance(0.08) ? 90_000 : 0 };
  const wrote = random.chance(0.4) ? { inMs: random.between(100, 5_000), good: false } : null;
  switch (random.between(0, 12)) {
    case 0:
    case 1:
      return done(random, true);
    case 2:
      return { ...done(random, false), cause: 'lie' };
    case 3:
      return { ...QUIET, writes: wrote, endsInMs: random.between(100, 20_000) };
    case 4:
      return { ...QUIET, exit: { exitCode: null, signal: random.pick(['SIGKILL', 'SIGTERM', 'SIGINT']) } };
    case 5:
      return hung(random, 'stalled', stubborn, wrote);
    case 6:
      return hung(random, 'looping', stubborn, wrote);
    case 7:
      return hung(random, 'frozen', stubborn, wrote);
    case 8:
      // Burns most of its time limit before it fails.
      return { ...QUIET, endsInMs: Math.round(timeoutMs * (0.5 + random.next() / 3)) };
    case 9:
      return { ...QUIET, endsInMs: null, ...stubborn };
    case 10:
      // Thinks for long, and goes on.
      return {
        ...done(random, true),
        endsInMs: random.between(20_000, 60_000),
        signal: { inMs: random.between(1_000, 15_000), type: 'stalled', passes: true },
      };
    case 11:
      return {
        ...QUIET,
        says: {
          raised: {
            reason: 'two ways are possible',
            code: null,
            question: 'Which one?',
            options: ['a', 'b'],
          },
        },
      };
    default:
      return {
        ...QUIET,
        usageTokens: random.between(1, 2_000),
        writes: wrote,
        endsInMs: random.between(100, 9_000),
      };
  }
}

function done(random: Random, good: boolean): AgentLife {
  return {
    ...QUIET,
    cause: 'done',
    endsInMs: random.between(500, 30_000),
    exit: { exitCode: 0, signal: null },
    says: { claimsDone: true, claim: 'all done' },
    writes: good || random.chance(0.5) ? { inMs: 200, good } : null,
    usageTokens: random.between(0, 500),
  };
}

function hung(
  random: Random,
  type: SignalType,
  stubborn: Pick<AgentLife, 'ignoresTerm' | 'diesLateMs'>,
  writes: AgentLife['writes'],
): AgentLife {
  return {
    ...QUIET,
    endsInMs: null,
    signal: { inMs: random.between(1_000, 60_000), type, passes: false },
    writes,
    ...stubborn,
  };
}

function told(
  type: 'network_failure' | 'auth_failure' | 'rate_limited' | 'overloaded',
  retryAt: number | null,
) {
  return { diagnosis: { ...observedDiagnosis(type, `${type} was told`, [type]), retryAt } };
}
