/** `Caller`: the person or agent that asks for a use-case, and on which record. `userName`: what the journal calls the person. */
import type { RunState } from '../core/state/run-state.ts';
import type { CallerSigns } from '../platform/process/callers.ts';
import type { RunRecord } from '../record/contract.ts';

export interface Caller {
  readonly home: string;
  readonly record: RunRecord;
  /** The person, as the journal names them. */
  readonly by: string;
  /** A person whom another let in: what gives an agent or a run more than it has is not theirs to say. */
  readonly isGuest?: boolean;
  /** Returns when the run has read its mailbox: a keeper process does it (`hearByKeeper`), or the caller keeps the run itself. */
  readonly hear: (runId: string) => Promise<RunState>;
  /** How an agent in the person's place shows. Left out: this process is looked at; a server says what it knows of its client. */
  readonly signs?: CallerSigns;
}

/** The person at this terminal, or whose program this is. */
export function userName(env: NodeJS.ProcessEnv, unknown = 'a person'): string {
  return env['USER'] || env['LOGNAME'] || unknown;
}
