/** `buildReport`: the numbers of a period, those of the period before it where asked, and the stories behind them. */
import type { RunRecord } from '../record/contract.ts';
import { type FailedTask, failedTasks } from '../supervise/bus/failed-tasks.ts';
import { summarise, type Summary } from './metrics/summary.ts';
import { readHistory } from './read-history.ts';
import {
  type Investigation,
  openInvestigations,
  type RecoveryEvent,
  recentEvents,
  type SystematicEvent,
  systematicEvents,
} from './recovery-events.ts';

export interface Report extends Summary {
  readonly generated_at: string;
  readonly repository: string | null;
  /** Rows of the record that this version cannot read; they are kept, and counted nowhere else. */
  readonly unread_rows: number;
  /** The period of the same length before this one. */
  readonly before: Summary | null;
  readonly recent: readonly RecoveryEvent[];
  readonly systematic: readonly SystematicEvent[];
  readonly investigations: readonly Investigation[];
  /** Tasks of agents that are not Mayday's, which FAILED and wait for a new try. */
  readonly external_failures: readonly FailedTask[];
}

export interface ReportOptions {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  readonly compare: boolean;
  readonly repository?: string | undefined;
}

export async function buildReport(record: RunRecord, options: ReportOptions): Promise<Report> {
  const { from, to, now, compare, repository } = options;
  const { runs: history, lessons, falsePositives, unread } = await readHistory(record, { repository, now });
  const summary = summarise({ history, lessons, falsePositives, from, to, now });
  const before = compare
    ? summarise({ history, lessons, falsePositives, from: from - (to - from), to: from, now: from })
    : null;
  const runs = history.filter(({ created }) => created >= from && created < to);
  return {
    generated_at: new Date(now).toISOString(),
    repository: repository ?? null,
    unread_rows: unread,
    ...summary,
    before,
    recent: await recentEvents(record, runs, lessons),
    systematic: systematicEvents(runs, lessons),
    investigations: await openInvestigations(record, runs),
    external_failures: await failedTasks(record),
  };
}
