/** `mayday rm RUN`: hides an ended run from the lists and frees its disk space. Story, evidence and checkpoints stay. */
import { removeRun } from '../../use-cases/steer/remove-run.ts';
import type { Invocation } from '../command.ts';
import { bytesText } from '../render/bytes.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { print } from '../print.ts';
import { withRun } from '../with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRun(invocation, async (caller, runId) => {
    const discardWorktree = invocation.options['discard-worktree'] === true;
    const { freedBytes } = granted(await removeRun(caller, { runId, discardWorktree }));
    return print(
      invocation,
      { run_id: runId, removed: true, freed_bytes: freedBytes },
      `run ${runId} is off the list; freed ${bytesText(freedBytes)}; its story and checkpoints stay: mayday show ${runId}\n`,
    );
  });
}
