/** `latestRuns`: the figures of the latest runs of a repository; they show which trouble is common there. */
import { readAllMetrics } from '../../core/view/metrics-code.ts';
import type { RunMetrics } from '../../core/view/run-metrics.ts';
import type { RunRecord } from '../../record/contract.ts';

const RUNS_LOOKED_AT = 500;

export async function latestRuns(record: RunRecord, repository: string): Promise<readonly RunMetrics[]> {
  const rows = await record.metrics({ repository, limit: RUNS_LOOKED_AT });
  return readAllMetrics(rows).runs;
}
