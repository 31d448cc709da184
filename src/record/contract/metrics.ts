/** `MetricsRecord`: the numbers of runs and imported sessions that reports read. */

/** What reports read of a run, or of a session from before Mayday that was imported. */
export interface MetricsRow {
  readonly id: string;
  readonly repository: string;
  /** When the run or session began. */
  readonly at: number;
  readonly imported: boolean;
  readonly body: string;
}

export interface MetricsFilter {
  /** Begun at or after. */
  readonly sinceAt?: number;
  readonly repository?: string;
  /** Of these runs. */
  readonly ids?: readonly string[];
  /** The latest so many. */
  readonly limit?: number;
}

export interface MetricsRecord {
  /** The bodies, oldest first. */
  metrics(filter?: MetricsFilter): Promise<readonly string[]>;
  saveMetrics(rows: readonly MetricsRow[]): Promise<void>;
}
