/** `mayday rm RUN`: hides an ended run from the lists and frees its disk space. Story, evidence and checkpoints stay. */
import { removeRun } from '../../use-cases/steer/remove-run.ts';
import type { Invocation } from '../command.ts';
import { bytesText } from '../render/bytes.ts';
import { refusalError } from '../../use-cases/refusal-error.ts';
import { findRun, withRecord } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (caller) => {
    const { stdout, json, options, args } = invocation;
    const runId = await findRun(caller.record, args[0] ?? '');
    const discardWorktree = options['discard-worktree'] === true;
    const result = await removeRun(caller, { runId, discardWorktree });
    if (result.type === 'refused') throw refusalError(result);
    stdout.write(
      json
        ? `${JSON.stringify({ run_id: runId, removed: true, freed_bytes: result.freedBytes })}\n`
        : `run ${runId} is off the list; freed ${bytesText(result.freedBytes)}; its story and checkpoints stay: mayday show ${runId}\n`,
    );
    return 0;
  });
}
