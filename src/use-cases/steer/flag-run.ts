/** `flagRun`: raises the blocker flag. A person may flag any run, an agent only its own; the run pauses and asks. */
import { writeFile } from 'node:fs/promises';
import type { RunState } from '../../core/state/run-state.ts';
import { insideNote } from '../../platform/container/inside-note.ts';
import { assertPerson, supervisedBy } from '../../supervise/mail/assert-person.ts';
import { postAgentFlag, postWord } from '../../supervise/mail/mail.ts';
import { loadState } from '../../supervise/load-state.ts';
import type { Caller } from '../caller.ts';
import type { Refused } from '../refusal.ts';

export type FlagResult =
  | { readonly type: 'flagged'; readonly state: RunState }
  | Refused<'flag_needs_reason' | 'not_working'>;

/** From inside, where the record is hidden: by the agent's own blocker file. Null: the caller is not the agent of this run. */
export async function flagFromInside(
  home: string,
  flag: { readonly runId: string; readonly reason: string },
): Promise<{ readonly type: 'left' } | Refused<'flag_needs_reason'> | null> {
  const inside = insideNote(home);
  if (inside === null || inside.blocker === null || inside.runId !== flag.runId) return null;
  const reason = flag.reason.trim();
  if (reason === '') return needsReason(flag.runId);
  await writeFile(inside.blocker, JSON.stringify({ reason }));
  return { type: 'left' };
}

function needsReason(runId: string): Refused<'flag_needs_reason'> {
  return { type: 'refused', because: 'flag_needs_reason', runId };
}

export async function flagRun(
  caller: Caller,
  flag: { readonly runId: string; readonly reason: string },
): Promise<FlagResult> {
  const { home, record, by, signs } = caller;
  const { runId } = flag;
  const reason = flag.reason.trim();
  if (reason === '') return needsReason(runId);
  const agentOf = await supervisedBy(home, record, signs);
  // An agent may not stop the work of another run.
  if (agentOf !== null && agentOf !== runId) await assertPerson(caller, 'a flag on another run');
  const { seq } = await loadState(record, runId);
  if (agentOf === null) await postWord(caller, runId, { type: 'flag_raised', by, reason });
  else await postAgentFlag(record, runId, reason);
  const state = await caller.hear(runId);
  // The flag is found by its type: the record may have hidden a secret in its words.
  const isRaised = (await record.events(runId, seq)).some(({ type }) => type === 'flag_raised');
  return isRaised ? { type: 'flagged', state } : { type: 'refused', because: 'not_working', runId };
}
