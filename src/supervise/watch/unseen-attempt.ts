/**
 * `unseenAttempt`: finds an attempt whose processes this process cannot see: they are in another PID namespace or on another machine.
 * Its run is not adopted: its agent may live, and this process could neither watch nor stop it. What ends that: its own keeper, a
 * Mayday that can see it, the end of its processes (the kernel tells it on the same machine), or a person's word.
 */
import { attemptDir } from '../../act/run-files.ts';
import { currentAttempt, type RunState } from '../../core/state/run-state.ts';
import { findAttempt } from '../../platform/container/container.ts';
import { type ContainerHandle, containerStanding } from '../../platform/container/container-handle.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { bootId } from '../../platform/process/process-identity.ts';
import type { RunRecord } from '../../record/contract.ts';
import { personKeyOrNull } from '../mail/person-key.ts';
import { loadState } from '../load-state.ts';

export interface UnseenAttempt {
  readonly runId: string;
  readonly attempt: number;
  /** Where its processes were started. */
  readonly place: string;
  /** The kernel says that one of them lives. */
  readonly lives: boolean;
}

/** Null where everything that may still run can be seen from here, or is known to have ended. */
export async function unseenAttempt(
  home: string,
  record: RunRecord,
  runId: string,
): Promise<UnseenAttempt | null> {
  const state = await loadState(record, runId);
  const attempt = currentAttempt(state);
  const handle = await handleOf(home, state);
  if (attempt === undefined || handle === null) return null;
  const standing = containerStanding(handle);
  if (standing === 'visible' || standing === 'ended') return null;
  if (standing === 'unseen' && (await isDeclaredGone(home, record, state, attempt.number))) return null;
  return { runId, attempt: attempt.number, place: placeOf(handle), lives: standing === 'held' };
}

/** The handle of the attempt that may still run, with a person's word about it; also of one that was started but not yet recorded. */
async function handleOf(home: string, state: RunState): Promise<ContainerHandle | null> {
  const attempt = currentAttempt(state);
  const { life } = state;
  if (attempt === undefined || attempt.endedAt !== null || life.type === 'ended') return null;
  const recorded = attempt.handle as ContainerHandle | null;
  const handle = recorded ?? (await findAttempt(attemptDir(home, state.runId, attempt.number)));
  return handle === null ? null : withPersonsWord(handle, attempt);
}

export function withPersonsWord(
  handle: ContainerHandle,
  { declaredGone }: { readonly declaredGone?: unknown },
): ContainerHandle {
  return declaredGone === undefined ? handle : { ...handle, declaredGone: true };
}

/** Whether a person declared the agent gone. Their word waits in the mailbox until a keeper takes the run. */
async function isDeclaredGone(
  home: string,
  record: RunRecord,
  { runId, nonces }: RunState,
  attempt: number,
): Promise<boolean> {
  const key = personKeyOrNull(home);
  const letters = await record.mailbox(runId);
  if (letters.length === 0) return false;
  const { readMail } = await import('../mail/read-mail.ts');
  return letters.some(({ body }) => {
    const mail = readMail(body, { runId, key, heard: nonces });
    return mail.type === 'word' && mail.word.type === 'agent_declared_gone' && mail.word.attempt === attempt;
  });
}

function placeOf({ attendant }: ContainerHandle): string {
  if (attendant.bootId !== bootId()) return 'on another machine';
  return `in another PID namespace of this machine (${attendant.seenFrom ?? attendant.pidNamespace ?? 'unknown'})`;
}

export function unseenError({ runId, attempt, place, lives }: UnseenAttempt): MaydayError {
  const does = lives ? 'runs' : 'may still run';
  return new MaydayError('AGENT_UNSEEN', `the agent of run ${runId} (attempt ${attempt}) ${does} ${place}`, [
    ['did', 'left the run alone: from here its agent can be neither watched nor stopped'],
    [
      'do',
      lives
        ? 'call mayday where the agent was started (the same container), or wait until it has ended: then the run goes on here too'
        : `call mayday where the agent was started; if you know that it is gone: mayday resume ${runId} --agent-gone`,
    ],
  ]);
}
