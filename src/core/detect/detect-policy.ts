/** Every threshold of detection, as data. Tuned on public runs by `npm run eval:detect`; reasons beside the numbers. */

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
  readonly subagentSilenceMs: number;
  /** Polling is judged by time: how long the same answer may come back. */
  readonly pollWarnMs: number;
  readonly pollStopMs: number;
  /** A prompt nobody answers need not be watched for long. */
  readonly inputSilenceMs: number;
  readonly budgetWarnShare: number;
  /** Warn when the present pace uses up the budget within this time. */
  readonly paceHorizonMs: number;
  /** Runaway spending; null where nobody has set a norm. */
  readonly tokensPerMinute: number | null;
  readonly overdueFactor: number;
  readonly retriesStop: number;
  /** What may change, as globs; empty means no scope was agreed. */
  readonly scope: readonly string[];
}

export const DEFAULT_DETECT_POLICY: DetectPolicy = {
  loopWarn: 3,
  loopStop: 5,
  cycleLength: 16,
  cycleTurns: 3,
  staleAllowance: 0.5,
  staleWarn: 1,
  staleStop: 2,
  undoWarn: 2,
  undoStop: 4,
  compactionsWarn: 3,
  compactionsStop: 5,
  monologueWarn: 12,
  silenceMs: 90_000,
  toolSilenceMs: 600_000,
  subagentSilenceMs: 300_000,
  pollWarnMs: 1_800_000,
  pollStopMs: 7_200_000,
  inputSilenceMs: 10_000,
  budgetWarnShare: 0.8,
  paceHorizonMs: 600_000,
  tokensPerMinute: null,
  overdueFactor: 2,
  retriesStop: 3,
  scope: [],
};
