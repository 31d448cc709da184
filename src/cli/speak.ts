/** Telling a run something: the word is durable in its mailbox, then whoever keeps the run acts on it; if nobody does, a keeper is started. */
import { setTimeout as pause } from 'node:timers/promises';
import type { RunState } from '../core/run-state.ts';
import { writeMail } from '../supervise/mail.ts';
import { loadState } from '../supervise/run-journal.ts';
import { isKept, startKeeper } from '../supervise/start-keeper.ts';
import type { Opened } from './with-record.ts';

const LOOK_MS = 50;
/** A keeper that starts, reads its mail and commits needs well under a second; a busy machine more. */
const PATIENCE_MS = 30_000;

export async function speak(
  { home, record }: Opened,
  runId: string,
  mail: Parameters<typeof writeMail>[0],
  env: NodeJS.ProcessEnv,
): Promise<RunState> {
  await record.post(runId, Date.now(), writeMail(mail));
  const deadline = performance.now() + PATIENCE_MS;
  let kept = await isKept(record, runId);
  if (!kept) startKeeper(home, runId, env);
  while ((await record.mailbox(runId)).length > 0 && performance.now() < deadline) {
    await pause(LOOK_MS);
    // The keeper we counted on may have ended between our look and our letter.
    if (kept && !(await isKept(record, runId))) {
      kept = false;
      startKeeper(home, runId, env);
    }
  }
  return await loadState(record, runId);
}
