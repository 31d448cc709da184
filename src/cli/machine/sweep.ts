/** `mayday sweep`: deletes what ended runs left behind, and tells when the rest goes. Files without a record are never deleted. */
import type { SweepReport } from '../../act/workspace/sweep.ts';
import { loadConfig, wholePolicy } from '../../supervise/request/config.ts';
import { sweepHome } from '../../supervise/sweep-home.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { bytesText } from '../render/bytes.ts';
import { withRecord } from '../with-record.ts';
import { localTime } from '../render/time.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    const report = await sweepHome(home, record, wholePolicy(await loadConfig(home)), { measure: true });
    print(invocation, document(report), `${told(report).join('\n')}\n`);
    return 0;
  });
}

function document(report: SweepReport) {
  return {
    ...report,
    removed: report.removed.map(({ path }) => path),
    freed_bytes: sum(report.removed),
    later: report.later.map(({ runId, path, bytes, removableAt }) => ({
      run_id: runId,
      path,
      bytes,
      removable_at: removableAt === null ? null : new Date(removableAt).toISOString(),
    })),
  };
}

function told(report: SweepReport): string[] {
  const waiting = report.later.filter(({ removableAt }) => removableAt !== null);
  const inUse = report.later.filter(({ removableAt }) => removableAt === null);
  const lines = [
    ...report.quarantined.map((path) => `quarantined  ${path}`),
    ...report.removed.map(({ path, bytes }) => `removed      ${path} (${bytesText(bytes)})`),
    ...report.erased.map((runId) => `erased       raw output of run ${runId}; its transcript stays`),
    ...waiting.map(
      ({ runId, path, bytes, removableAt }) =>
        `later        ${path} (${bytesText(bytes)}): its quarantine ends ${localTime(removableAt ?? 0)}; mayday rm ${runId}`,
    ),
    ...inUse.map(
      ({ runId, path, bytes }) => `in use       ${path} (${bytesText(bytes)}): run ${runId} has not ended`,
    ),
    ...report.kept.map(({ path, why }) => `kept         ${path}: ${why}`),
    ...report.orphans.map(({ path, why }) => `orphan       ${path}: ${why} (not touched)`),
  ];
  if (lines.length === 0) return ['nothing to sweep'];
  const rest = [
    ...(waiting.length === 0 ? [] : [`${bytesText(sum(waiting))} follow by themselves`]),
    ...(inUse.length === 0 ? [] : [`${bytesText(sum(inUse))} are in use`]),
  ];
  return [...lines, [`freed ${bytesText(sum(report.removed))}`, ...rest].join('; ')];
}

function sum(of: readonly { readonly bytes: number }[]): number {
  return of.reduce((total, { bytes }) => total + bytes, 0);
}
