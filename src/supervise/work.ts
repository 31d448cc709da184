/** Many runs in one process: whatever waits while nobody owns it is taken and kept, up to a number at once. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunRecord } from '../record/contract.ts';
import type { Redactor } from '../record/redact.ts';
import { adoptRun } from './adopt-run.ts';

/** How soon a new task is seen. */
const LOOK_MS = 500;

export interface WorkOptions {
  readonly home: string;
  readonly record: RunRecord;
  readonly env: NodeJS.ProcessEnv;
  readonly redactor: Redactor;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** Ends when nothing is left to do instead of waiting for more. */
  readonly untilIdle: boolean;
  readonly onEnd?: (runId: string, end: string) => void;
}

export async function work(options: WorkOptions): Promise<void> {
  const { record, concurrency, signal, untilIdle } = options;
  const kept = new Map<string, Promise<void>>();
  let failure: unknown = null;
  while (!signal.aborted && failure === null) {
    const waiting = (await record.unowned(Date.now())).filter((runId) => !kept.has(runId));
    for (const runId of waiting.slice(0, Math.max(0, concurrency - kept.size))) {
      const keeping = keepOne(options, runId)
        .catch((error: unknown) => {
          if (!signal.aborted) failure = error;
        })
        .finally(() => kept.delete(runId));
      kept.set(runId, keeping);
    }
    if (untilIdle && kept.size === 0) return;
    await pause(LOOK_MS, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(kept.values());
  if (failure !== null) throw failure;
}

async function keepOne(options: WorkOptions, runId: string): Promise<void> {
  const { home, record, env, redactor, signal, onEnd } = options;
  const end = await adoptRun({ home, record, runId, env, redactor, signal });
  if (end !== null) onEnd?.(runId, end);
}
