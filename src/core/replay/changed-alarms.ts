/**
 * `changedAlarms`: which alarms of an attempt other thresholds would have added or removed, from its transcript. Alarms that need the
 * living process (frozen, a prompt on the last line) stay as recorded. How busy a silent agent was is not recorded, so a silence that was
 * left alone under its own limit is left alone under any other.
 */
import type { DetectPolicy } from '../detect/detector.ts';
import type { Tick } from '../detect/tick.ts';
import { watchOver } from '../detect/watch.ts';
import { stops, type Signal } from '../vocabulary/signal.ts';
import { DETECT_KEYS } from '../vocabulary/agent-limits.ts';
import type { Policy } from '../vocabulary/policy.ts';
import type { TranscriptEntry } from '../vocabulary/transcript.ts';

export interface AlarmChange {
  readonly added: readonly Signal[];
  readonly dropped: (signal: Signal) => boolean;
}

export interface PastAttempt {
  readonly startedAt: number;
  readonly endedAt: number;
  /** Speaks no protocol: silence has its own limit. */
  readonly isCommand: boolean;
  readonly scope: readonly string[];
  /** Raised then. */
  readonly signals: readonly Signal[];
  /** With the progress that was seen, in order. */
  readonly entries: readonly TranscriptEntry[];
}

/** The live watch looks once a second, and twice before it calls silence. */
const SAME_MOMENT_MS = 5_000;
const TICK_MS = 1_000;
/** Long silences are looked at more coarsely: a verdict is late by half a per cent at most. */
const TICKS_PER_GAP = 200;

export function changedAlarms(attempt: PastAttempt, recorded: Policy, other: Policy): AlarmChange | null {
  const [limits, others] = [limitsOf(attempt, recorded), limitsOf(attempt, other)];
  if (DETECT_KEYS.every((key) => limits[key] === others[key])) return null;
  const before = alarms(attempt, limits);
  const after = alarms(attempt, others);
  const gone = before.filter((signal) => !after.some((each) => sameAlarm(each, signal)));
  const busy = before.filter(
    (signal) => signal.type === 'stalled' && !attempt.signals.some((each) => sameAlarm(each, signal)),
  );
  const added = after.filter(
    (signal) =>
      !before.some((each) => sameAlarm(each, signal)) &&
      !busy.some(({ type, sinceAt }) => type === signal.type && sinceAt === signal.sinceAt),
  );
  return { added, dropped: (signal) => gone.some((each) => sameAlarm(each, signal)) };
}

function limitsOf({ isCommand, scope }: PastAttempt, policy: Policy): DetectPolicy {
  const limits = { ...policy, scope };
  return isCommand ? { ...limits, silence_ms: policy.command_silence_ms } : limits;
}

function sameAlarm(one: Signal, other: Signal): boolean {
  return (
    one.type === other.type &&
    one.severity === other.severity &&
    Math.abs(one.at - other.at) <= SAME_MOMENT_MS
  );
}

function alarms(attempt: PastAttempt, limits: DetectPolicy): readonly Signal[] {
  const found: Signal[] = [];
  for (const { signals } of watchOver(moments(attempt), limits)) {
    const gravest = signals.find(({ severity }) => severity === 'critical');
    if (gravest !== undefined && stops(gravest)) found.push(gravest);
  }
  return found;
}

function* moments({ startedAt, endedAt, entries }: PastAttempt): Generator<TranscriptEntry | Tick> {
  let heardAt = startedAt;
  for (const entry of entries) {
    yield* ticks(startedAt, heardAt, entry.at);
    yield entry;
    heardAt = Math.max(heardAt, entry.at);
  }
  yield* ticks(startedAt, heardAt, endedAt);
}

function* ticks(startedAt: number, from: number, to: number): Generator<Tick> {
  const every = Math.max(TICK_MS, (to - from) / TICKS_PER_GAP);
  for (let at = from + every; at < to; at += every) yield { type: 'tick', at: Math.round(at), startedAt };
}
