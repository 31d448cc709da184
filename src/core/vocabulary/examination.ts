/** What is known about an ended attempt: how it ended, and what was found when it was looked at. */
import type { CheckpointFact, PartialWork } from './work.ts';
import type { Diagnosis } from './diagnosis.ts';

export type EndedBy = 'itself' | 'mayday' | 'person' | 'unobserved';

/** How an attempt ended, from outside. */
export interface ExitFacts {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly outOfMemory: boolean;
  readonly endedBy: EndedBy;
  /** When the process really ended, by the attendant's note; it is noticed a moment later. */
  readonly exitedAt: number | null;
}

/** What was learned about an ended attempt before anybody decides. */
export interface Examination {
  readonly claimsDone: boolean;
  /** The agent's own last words, listed as a claim. */
  readonly claim: string | null;
  readonly diagnosis: Diagnosis | null;
  readonly partialWork: PartialWork;
  readonly checkpoint: CheckpointFact | null;
  /** Why there is no checkpoint of what the attempt left. */
  readonly unsaved?: string;
  readonly inFlight: string | null;
  /** Exact calls that were repeated or failed, for "do not repeat". */
  readonly repeated: readonly { readonly call: string; readonly times: number; readonly result: string }[];
  readonly deniedTools: readonly string[];
  readonly agentSession: string | null;
  readonly raised: {
    readonly reason: string;
    readonly code: string | null;
    readonly question: string | null;
    readonly options: readonly string[];
    /** What of a note that does not fit could be read. */
    readonly evidence?: readonly string[];
  } | null;
  /** The login was refused: names of variables that the agent looks for, that are set for the person, and that were not passed. */
  readonly withheld?: readonly string[];
  /** The login was refused: names that should be passed, and that are not set where the keeper was started. */
  readonly unset?: readonly string[];
  readonly configChanged: readonly string[];
  /** What that change is and what would undo it, in words. */
  readonly configUndo?: readonly string[];
  /** Branches and tags of the person that are not where they were. */
  readonly refsMoved?: readonly string[];
  readonly unknownLines: number;
  /** Processes outside the container that still stood in the workspace when it was empty. */
  readonly strangers?: readonly string[];
  /** What an exploring attempt changed although it should only look: put back, and kept in this checkpoint. */
  readonly undone?: { readonly paths: readonly string[]; readonly checkpoint: number };
  /** What an exploring attempt proposes. */
  readonly proposal?: Proposal | null;
}

/** What an exploring agent proposes: a claim until a person or policy confirms it. */
export interface Proposal {
  readonly scope: readonly string[];
  readonly checks: readonly string[];
  readonly decisions: readonly { readonly question: string; readonly options: readonly string[] }[];
  readonly summary: string;
}
