/** What the detectors compare with. The numbers and their reasons are in the policy table; tuned on public runs by `npm run eval:detect`. */
import { DEFAULT_POLICY, type Policy } from '../vocabulary/policy.ts';

/** Memory per run is bounded by it; longer cycles are caught by novelty. */
const CYCLE_LENGTH = 16;

export interface DetectPolicy {
  /** The third equal call with an equal result and no progress is worth a word, the fifth ends it. */
  readonly loopWarn: number;
  readonly loopStop: number;
  /** Cycles longer than this are caught by novelty instead. */
  readonly cycleLength: number;
  /** How many times round a cycle of two or more calls. */
  readonly cycleTurns: number;
  /** How stale turns of healthy work are on average; only the excess is counted. */
  readonly staleAllowance: number;
  /** Excess of two equal repetitions, and of four: the same as `loopWarn` and `loopStop`, for repetition that is not exact. */
  readonly staleWarn: number;
  readonly staleStop: number;
  /** An edit taken back once is thinking; twice is a habit. */
  readonly undoWarn: number;
  readonly undoStop: number;
  readonly compactionsWarn: number;
  readonly compactionsStop: number;
  /** Talk without any action; chats do that, so it only ever warns. */
  readonly monologueWarn: number;
  /** Silence per kind of wait. 99 % of model turns begin within 41 s in 275 real sessions. */
  readonly silenceMs: number;
  /** A tool gets three times its own longest time, and at least this. 99 % end within 278 s. */
  readonly toolSilenceMs: number;
  /** Silent, but busy: that many times the limit. */
  readonly busyFactor: number;
  /** Not a word, but bytes on its sockets. */
  readonly wordlessMs: number;
  readonly subagentSilenceMs: number;
  /** How long a process may stand stopped, and an agent stay after its final result. */
  readonly frozenMs: number;
  readonly finalGraceMs: number;
  /** Polling is judged by time: how long the same answer may come back. */
  readonly pollWarnMs: number;
  readonly pollStopMs: number;
  /** A prompt nobody answers need not be watched for long. */
  readonly inputSilenceMs: number;
  readonly budgetWarnShare: number;
  /** Warn when the present pace uses up the budget within this time. */
  readonly paceHorizonMs: number;
  /** Runaway spending; 0 where nobody has set a norm. */
  readonly tokensPerMinute: number;
  readonly overdueFactor: number;
  readonly retriesStop: number;
  /** What may change, as globs; empty means no scope was agreed. */
  readonly scope: readonly string[];
}

/** The thresholds of detection out of the one policy table, where their reasons stand. */
export function detectPolicyOf(policy: Policy, scope: readonly string[] = []): DetectPolicy {
  return {
    loopWarn: policy.loop_warn,
    loopStop: policy.loop_stop,
    cycleLength: CYCLE_LENGTH,
    cycleTurns: policy.cycle_turns,
    staleAllowance: policy.stale_allowance,
    staleWarn: policy.stale_warn,
    staleStop: policy.stale_stop,
    undoWarn: policy.undo_warn,
    undoStop: policy.undo_stop,
    compactionsWarn: policy.compactions_warn,
    compactionsStop: policy.compactions_stop,
    monologueWarn: policy.monologue_warn,
    silenceMs: policy.silence_ms,
    toolSilenceMs: policy.tool_silence_ms,
    busyFactor: policy.busy_factor,
    wordlessMs: policy.wordless_ms,
    subagentSilenceMs: policy.subagent_silence_ms,
    frozenMs: policy.frozen_ms,
    finalGraceMs: policy.final_grace_ms,
    pollWarnMs: policy.poll_warn_ms,
    pollStopMs: policy.poll_stop_ms,
    inputSilenceMs: policy.input_silence_ms,
    budgetWarnShare: policy.budget_warn_share,
    paceHorizonMs: policy.pace_horizon_ms,
    tokensPerMinute: policy.tokens_per_minute,
    overdueFactor: policy.overdue_factor,
    retriesStop: policy.retries_stop,
    scope,
  };
}

export const DEFAULT_DETECT_POLICY: DetectPolicy = detectPolicyOf(DEFAULT_POLICY);
