/**
 * `Caller`: the person or agent that asks for a use-case, and on which record; `speak`: sends the caller's word and waits until the run
 * took it.
 */
import type { RunState } from '../core/state/run-state.ts';
import { isNotToldApart } from '../core/vocabulary/events/word.ts';
import type { CallerSigns } from '../platform/process/callers.ts';
import { MaydayError } from '../platform/mayday-error.ts';
import type { RunRecord } from '../record/contract.ts';
import { postWord, type Word } from '../supervise/mail/mail.ts';
import { loadState } from '../supervise/load-state.ts';

export interface Caller {
  readonly home: string;
  readonly record: RunRecord;
  /** The person, as the journal names them. */
  readonly by: string;
  /** Returns when the run has read its mailbox: a keeper process does it (`hearByKeeper`), or the caller keeps the run itself. */
  readonly hear: (runId: string) => Promise<RunState>;
  /** How an agent in the person's place shows. Left out: this process is looked at; a server says what it knows of its client. */
  readonly signs?: CallerSigns;
}

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

/** The person at this terminal, or whose program this is. */
export function userName(env: NodeJS.ProcessEnv, unknown = 'a person'): string {
  return env['USER'] || env['LOGNAME'] || unknown;
}
