/**
 * `TranscriptEntry`: what an agent said and did, in one form for every agent CLI. Adapters produce it and detectors fold over it; no
 * later code depends on which agent it was. Transcripts are large, so they are files beside the journal.
 */

export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Absent if the agent does not report it; never guessed. */
  readonly costUsd?: number;
  readonly turns?: number;
}

export type TranscriptEntry = { readonly at: number } & (
  | {
      readonly type: 'session';
      readonly sessionId: string;
      readonly model?: string;
      readonly version?: string;
    }
  | { readonly type: 'message'; readonly role: 'agent' | 'person' | 'system'; readonly text: string }
  | {
      readonly type: 'tool_call';
      readonly id: string;
      readonly tool: string;
      /** The arguments as compact JSON, or the literal command line. */
      readonly input: string;
      /** Set when a subagent made the call. */
      readonly parentId?: string;
    }
  | {
      readonly type: 'tool_result';
      /** The id of the call that it answers. */
      readonly id: string;
      readonly output: string;
      readonly isError: boolean;
      /** The agent's format marks every failed call, so a result without the mark did not fail, whatever its text says. */
      readonly marksErrors?: true;
      readonly durationMs?: number;
      readonly parentId?: string;
    }
  /** `usage` is the running total of the attempt, never a difference. */
  | { readonly type: 'usage'; readonly usage: Usage }
  /** The agent CLI retries by itself. That is not an incident yet, but time passes. */
  | {
      readonly type: 'retry';
      readonly attempt: number;
      readonly delayMs: number;
      readonly status: number | null;
      readonly text: string;
    }
  | { readonly type: 'error'; readonly text: string; readonly status: number | null }
  | { readonly type: 'compaction'; readonly text: string }
  /** The agent's final message. It is a claim, not a fact. */
  | {
      readonly type: 'result';
      readonly text: string;
      readonly isError: boolean;
      readonly subtype: string;
      readonly deniedTools: readonly string[];
      readonly usage?: Usage;
    }
  /** Mayday observed it itself; the agent did not report it: a changed tree, a commit, a check result. */
  | {
      readonly type: 'progress';
      readonly kind: 'tree' | 'commit' | 'check' | 'subtask';
      readonly detail: string;
      /** When it came about, where that is known: `at` is when it was found. */
      readonly changedAt?: number;
    }
  /** A line of a program that speaks no known protocol. */
  | { readonly type: 'output'; readonly stream: 'stdout' | 'stderr'; readonly text: string }
  /** A line that the adapter does not know: it is kept and counted, and never fatal. */
  | { readonly type: 'unknown'; readonly raw: string }
);

export type TranscriptType = TranscriptEntry['type'];
