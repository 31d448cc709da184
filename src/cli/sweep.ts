/** `mayday sweep`: reclaim what ended runs left behind; what belongs to nobody is named and never deleted. */
import { sweep } from '../act/workspace/sweep.ts';
import { DEFAULT_POLICY } from '../core/policy.ts';
import type { Invocation } from './command.ts';
import { withRecord } from './with-record.ts';

const DAY_MS = 86_400_000;

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    const rows = await record.rows();
    const runs = new Map(rows.map(({ runId, ended, view }) => [runId, { ended, keep: isKept(view) }]));
    const report = await sweep({
      home,
      runs,
      now: Date.now(),
      quarantineDays: DEFAULT_POLICY.quarantine_ms / DAY_MS,
    });
    const { stdout, json } = invocation;
    if (json) {
      stdout.write(`${JSON.stringify(report)}\n`);
      return 0;
    }
    const lines = [
      ...report.quarantined.map((path) => `quarantined  ${path}`),
      ...report.removed.map((path) => `removed      ${path}`),
      ...report.kept.map(({ path, why }) => `kept         ${path}: ${why}`),
      ...report.orphans.map(({ path, why }) => `orphan       ${path}: ${why} (not touched)`),
    ];
    stdout.write(lines.length === 0 ? 'nothing to sweep\n' : `${lines.join('\n')}\n`);
    return 0;
  });
}

/** Without a sink the worktree is the delivery. */
function isKept(view: string): boolean {
  const { delivered } = JSON.parse(view) as { delivered: { sink: string } | null };
  return delivered?.sink === 'none';
}
