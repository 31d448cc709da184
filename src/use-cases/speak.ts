/** `speak`: sends the caller's word and waits until the run took it. */
import type { RunState } from '../core/state/run-state.ts';
import { isNotToldApart } from '../core/vocabulary/events/word.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import { loadState } from '../supervise/load-state.ts';
import { postWord, type Word } from '../supervise/mail/mail.ts';
import type { Caller } from './caller.ts';

export async function speak(caller: Caller, runId: string, word: Word): Promise<RunState> {
  if (isNotToldApart(word.type, await loadState(caller.record, runId)))
    throw new MaydayError('NOT_TOLD_APART', `run ${runId} takes no approval: its agent could have given it`, [
      [
        'happened',
        "its agent could reach the key that signs your words: Mayday's own folder was in sight, or docker was",
      ],
      ['did', 'nothing was recorded; policy told_apart of this run refuses such words'],
      [
        'do',
        `mayday diff ${runId} shows the work; start it again where mayday doctor says "hidden" and names no docker`,
      ],
    ]);
  await postWord(caller, runId, word);
  return await caller.hear(runId);
}
