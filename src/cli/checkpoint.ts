/** `mayday checkpoint RUN`: take one now, also while the agent works. */
import { checkpointFact } from '../act/checkpoint-fact.ts';
import { saveWork } from '../act/save-work.ts';
import { MaydayError, usageError } from '../platform/mayday-error.ts';
import { loadState } from '../supervise/run-journal.ts';
import type { Invocation } from './command.ts';
import { userName } from './follow.ts';
import { speak } from './speak.ts';
import { findRun, withRecord } from './with-record.ts';

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async (opened) => {
    const { home, record } = opened;
    const { env, stdout, json } = invocation;
    const runId = await findRun(record, invocation.args[0] ?? '');
    const state = await loadState(record, runId);
    if (state.workspace === null) throw usageError('NO_WORKSPACE', `run ${runId} has no workspace yet`);
    if (state.life.type === 'ended')
      throw usageError('RUN_ENDED', `run ${runId} has ended; its checkpoints are kept`, [
        ['do', `mayday checkpoints ${runId}`],
      ]);
    const { checkpoint } = await saveWork({
      home,
      state,
      reason: `asked for by ${userName(env)}`,
      signal: new AbortController().signal,
    });
    if (checkpoint.state === 'failed')
      throw new MaydayError(
        'CHECKPOINT_FAILED',
        `the workspace could not be saved: ${checkpoint.problem ?? 'unknown'}`,
        [['the work', 'is untouched in its workspace']],
      );
    const fact = checkpointFact(checkpoint);
    await speak(opened, runId, { type: 'checkpoint_taken', number: fact.number }, env);
    stdout.write(
      json
        ? `${JSON.stringify({ run_id: runId, ...fact })}\n`
        : `checkpoint ${fact.number} of ${runId}: ${fact.state}, ${checkpoint.files} files\n`,
    );
    return 0;
  });
}
