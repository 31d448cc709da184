/** `mayday rm RUN...`: hides ended runs from the lists and frees their disk space. Story, evidence and checkpoints stay. */
import { removeRun } from '../../use-cases/steer/remove-run.ts';
import type { Invocation } from '../command.ts';
import { bytesText } from '../render/bytes.ts';
import { granted } from '../../use-cases/refusal-error.ts';
import { overRuns } from './over-runs.ts';

export function run(invocation: Invocation): Promise<number> {
  const discardWorktree = invocation.options['discard-worktree'] === true;
  return overRuns(invocation, {
    name: 'rm',
    all: { ended: true, listed: true },
    begin: async (caller, runId) => {
      const { freedBytes, isFirst } = granted(await removeRun(caller, { runId, discardWorktree }));
      const document = { run_id: runId, removed: true, freed_bytes: freedBytes };
      const deed = isFirst ? 'is off the list' : 'was off the list already';
      const text = `run ${runId} ${deed}; freed ${bytesText(freedBytes)}; its story and checkpoints stay: mayday show ${runId}\n`;
      return async () => ({ document, text, exitCode: 0 });
    },
  });
}
