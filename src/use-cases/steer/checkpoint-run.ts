/** `checkpointRun`: takes a checkpoint now, also while the agent works. */
import { checkpointFact } from '../../act/checkpoint-fact.ts';
import { saveWork } from '../../act/save-work.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';
import { type Refused, runEnded } from '../refusal.ts';

export type CheckpointResult =
  | {
      readonly type: 'taken';
      readonly checkpoint: ReturnType<typeof checkpointFact>;
      readonly files: number;
    }
  | Refused<'no_workspace' | 'run_ended'>;

/** Throws CHECKPOINT_FAILED where the workspace cannot be saved; it is untouched then. */
export async function checkpointRun(
  caller: Caller,
  { runId }: { readonly runId: string },
): Promise<CheckpointResult> {
  const { home, record, by } = caller;
  const state = await loadState(record, runId);
  if (state.workspace === null) return { type: 'refused', because: 'no_workspace', runId };
  const ended = runEnded('checkpoint', state);
  if (ended !== null) return ended;
  const { signal } = new AbortController();
  const { checkpoint } = await saveWork({ home, state, reason: `asked for by ${by}`, signal });
  if (checkpoint.state === 'failed')
    throw new MaydayError(
      'CHECKPOINT_FAILED',
      `the workspace could not be saved: ${checkpoint.problem ?? 'unknown'}`,
      [
        ['did', 'left the work untouched in its workspace'],
        ['do', 'mend the cause that is named above, then call mayday checkpoint again'],
      ],
    );
  const fact = checkpointFact(checkpoint);
  await speak(caller, runId, { type: 'checkpoint_taken', number: fact.number });
  return { type: 'taken', checkpoint: fact, files: checkpoint.files };
}
