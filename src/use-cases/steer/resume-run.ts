/** `resumeRun`: continues a run from its checkpoint, if it waits or has lost its keeper in a crash. */
import type { RunState } from '../../core/state/run-state.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import { loadState } from '../../supervise/load-state.ts';
import { isKept } from '../../supervise/start-keeper.ts';
import { unseenAttempt, unseenError } from '../../supervise/watch/unseen-attempt.ts';
import type { Caller } from '../caller.ts';
import { speak } from '../speak.ts';
import { type Refused, runEnded } from '../refusal.ts';

export interface Resume {
  readonly runId: string;
  readonly note: string;
  /** The person's word that an agent which Mayday cannot see is gone. */
  readonly agentGone?: boolean;
}

export type ResumeResult =
  | { readonly type: 'resumed'; readonly before: RunState }
  | Refused<'run_ended' | 'already_working'>;

export async function resumeRun(
  caller: Caller,
  { runId, note, agentGone = false }: Resume,
): Promise<ResumeResult> {
  const { home, record, by } = caller;
  const before = await loadState(record, runId);
  const ended = runEnded('resume', before);
  if (ended !== null) return ended;
  await assertPerson(caller, 'a resume');
  const { life } = before;
  // The person's word counts only for an unseen agent; an agent that can be seen is looked at instead.
  const unseen =
    agentGone && !(await isKept(record, runId)) ? await unseenAttempt(home, record, runId) : null;
  if (unseen?.lives === true) throw unseenError(unseen);
  if (unseen !== null)
    await speak(caller, runId, { type: 'agent_declared_gone', attempt: unseen.attempt, by, note });
  if (life.type === 'waiting' || life.type === 'queued')
    await speak(caller, runId, { type: 'resume_requested', by, note });
  else if (unseen === null) {
    const kept = await isKept(record, runId);
    const stillUnseen = kept ? null : await unseenAttempt(home, record, runId);
    if (stillUnseen !== null) throw unseenError(stillUnseen);
    // A run that does not wait takes no word: with a keeper nothing would be done, without one a note would be lost.
    if (kept || note !== '') return { type: 'refused', because: 'already_working', runId, isKept: kept };
    await caller.hear(runId);
  }
  return { type: 'resumed', before };
}
