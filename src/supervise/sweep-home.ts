/** `sweepHome`: reclaims what ended runs left on disk. `sweepHomeIfDue`: does it if the last time is long ago; keepers call it. */
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SweepReport, sweep } from '../act/workspace/sweep.ts';
import { readView } from '../core/view/read-view.ts';
import type { Policy } from '../core/vocabulary/policy.ts';
import type { RunRecord } from '../record/contract.ts';

/** The time of change of this file says when the home was last swept. */
const STAMP_FILE = 'swept';

export async function sweepHome(
  home: string,
  record: RunRecord,
  policy: Policy,
  { measure = false }: { readonly measure?: boolean } = {},
): Promise<SweepReport> {
  const rows = await record.rows();
  const runs = new Map(
    rows.map((row) => {
      // Without a sink the worktree is the delivery, and stays.
      const keep = readView(row).delivered?.sink === 'none';
      return [row.runId, { ended: row.ended, keep, changedAt: row.updatedAt }];
    }),
  );
  return await sweep({ home, runs, now: Date.now(), policy, measure });
}

/** A home that was never swept has nothing old in it: it only gets its stamp. */
export async function sweepHomeIfDue(home: string, record: RunRecord, policy: Policy): Promise<void> {
  const stamp = join(home, STAMP_FILE);
  const sweptAt = statSync(stamp, { throwIfNoEntry: false })?.mtimeMs;
  if (sweptAt !== undefined && Date.now() - sweptAt < policy.sweep_every_ms) return;
  // The stamp is written first, so that only one of several keepers that end together sweeps.
  writeFileSync(stamp, '', { mode: 0o600 });
  if (sweptAt !== undefined) await sweepHome(home, record, policy);
}
