/** `ExitFacts`, `Examination`, `Proposal`, `Told`: how an attempt ended, and what was found when it was examined. */
import type { CheckpointFact, PartialWork } from '../work.ts';
import type { Diagnosis } from '../diagnosis.ts';

/** `host`: its host was lost, or gave the run up because it could not renew the lease. */
export type EndedBy = 'itself' | 'mayday' | 'person' | 'unobserved' | 'host';

export interface ExitFacts {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly outOfMemory: boolean;
  readonly endedBy: EndedBy;
  /** When the process really ended, as the attendant noted it. The keeper notices the end a moment later. */
  readonly exitedAt: number | null;
}

export interface RepeatedCall {
  /** The tool and its input, cut. */
  readonly call: string;
  /** Absent in older journals. */
  readonly tool?: string;
  readonly times: number;
  readonly result: string;
}

export interface Examination {
  readonly claimsDone: boolean;
  /** The agent's last message. It is reported as a claim. */
  readonly claim: string | null;
  readonly diagnosis: Diagnosis | null;
  readonly partialWork: PartialWork;
  readonly checkpoint: CheckpointFact | null;
  /** Why there is no checkpoint of what the attempt left. */
  readonly unsaved?: string;
  readonly inFlight: string | null;
  /** The exact calls that were repeated or failed; the next brief says not to repeat them. */
  readonly repeated: readonly RepeatedCall[];
  /** The question with which the agent ended, in its own words; absent if it asked nothing, and in older journals. */
  readonly asks?: AgentQuestion;
  /** What a new session would not know; absent in older journals. */
  readonly knowledge?: Knowledge;
  readonly deniedTools: readonly string[];
  readonly agentSession: string | null;
  readonly raised: {
    readonly reason: string;
    readonly code: string | null;
    readonly question: string | null;
    readonly options: readonly string[];
    /** What the agent asks to change besides its scope. */
    readonly scope?: readonly string[];
    /** The readable parts of a note that does not fit the format. */
    readonly evidence?: readonly string[];
  } | null;
  /** If the login was refused: the variables that the agent looks for, that are set in the person's shell, and that were not passed. */
  readonly withheld?: readonly string[];
  /** If the login was refused: the variables that should be passed and that are not set where the keeper was started. */
  readonly unset?: readonly string[];
  readonly configChanged: readonly string[];
  /** What changed in the configuration and how to undo it, in words. */
  readonly configUndo?: readonly string[];
  /** The person's branches and tags that moved. */
  readonly refsMoved?: readonly string[];
  /** Among the entries that were read: the last ones of the attempt. */
  readonly unknownLines: number;
  /** The processes outside the container that were still in the workspace when the container was empty. */
  readonly strangers?: readonly string[];
  /** The files that an exploring attempt changed although it should only look. They were put back and are kept in this checkpoint. */
  readonly undone?: { readonly paths: readonly string[]; readonly checkpoint: number };
  /** What an exploring attempt proposes. */
  readonly proposal?: Proposal | null;
}
export interface AgentQuestion {
  readonly text: string;
  readonly options: readonly string[];
}

/** What an attempt knew, read from its transcript and its tree. All of it is text of programs and agents. */
export interface Knowledge {
  /** The first lines of the diff between the base and the work. */
  readonly diff: readonly string[];
  readonly diffLeftOut: number;
  readonly lastWords: string | null;
  /** Sentences in which the agent decided something, or found that a way does not work. */
  readonly decided: readonly string[];
  readonly rejected: readonly string[];
  readonly failedCalls: readonly { readonly call: string; readonly result: string }[];
  /** The open items of the agent's own list. */
  readonly open: readonly string[];
}

/** What an exploring agent proposes. It is a claim until a person or a policy confirms it. */
export interface Proposal {
  readonly scope: readonly string[];
  readonly checks: readonly string[];
  readonly decisions: readonly { readonly question: string; readonly options: readonly string[] }[];
  readonly summary: string;
}

/** What an agent told while it worked: a note for those who continue, or where it is. */
export interface Told {
  readonly kind: 'note' | 'progress';
  readonly text: string;
  readonly line: number;
}
