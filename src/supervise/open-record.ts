/** The record this machine uses, with the test hook that can end us at the n-th durable write. */
import { recordPath } from '../act/run-files.ts';
import { setDurableWriteHook } from '../platform/durable-write.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import { openSqliteRecord } from '../record/sqlite/open.ts';

export async function openRecord(home: string, env: NodeJS.ProcessEnv): Promise<RunRecord> {
  if (env['MAYDAY_STORE'])
    throw new MaydayError(
      'STORE_NOT_SUPPORTED',
      'MAYDAY_STORE names a fleet store, which this version does not have',
      [['do', 'unset MAYDAY_STORE']],
    );
  return await openSqliteRecord({ path: recordPath(home) });
}

/** Fault injection: `MAYDAY_FAULT_KILL_AT_WRITE=n` ends this process, as kill -9 would, just before its n-th durable write. */
export function armFault(env: NodeJS.ProcessEnv): void {
  const at = Number(env['MAYDAY_FAULT_KILL_AT_WRITE']);
  if (!Number.isInteger(at) || at < 1) return;
  setDurableWriteHook((n) => {
    if (n === at) process.kill(process.pid, 'SIGKILL');
  });
}
