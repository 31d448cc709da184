/** `Opinion`, `OpinionChoice`: what a model answered to one question, and how much the record proves. It decides nothing. */

export type OpinionKind = 'diagnose' | 'stuck' | 'story' | 'belongs' | 'lesson';

export interface OpinionQuote {
  /** The line, step or hunk of the record in which it was found. */
  readonly entry: number;
  /** Verbatim. */
  readonly text: string;
}

export interface CheckedClaim {
  readonly claim: string;
  readonly holds: boolean;
}

/** An answer after its check. `Answer` is the closed form of the question's kind. */
export interface CheckedAnswer<Answer = unknown> {
  readonly answer: Answer;
  readonly quotes: readonly OpinionQuote[];
  readonly checked: readonly CheckedClaim[];
  readonly confidence: number;
}

export interface Opinion<Answer = unknown> extends CheckedAnswer<Answer> {
  /** The provider: `claude`, `anthropic`, `command`. */
  readonly by: string;
  readonly kind: OpinionKind;
  /** Null: the provider tells no cost. */
  readonly costUsd: number | null;
  readonly tokens: number | null;
}

/** What came of a question. Without an answer, what rules and structure prove stands. */
export type OpinionOutcome<Answer = unknown> =
  | { readonly type: 'answered'; readonly opinion: Opinion<Answer> }
  | {
      readonly type: 'unanswered';
      readonly by: string;
      readonly kind: OpinionKind;
      readonly reason: string;
      readonly costUsd: number | null;
      readonly tokens: number | null;
    };

/** Who is asked about a run. Keys and logins are not stored here. */
export type OpinionChoice =
  | { readonly type: 'none' }
  /** An agent CLI of this machine, with its own login. `model` null: the cheapest that it offers. */
  | {
      readonly type: 'agent';
      readonly name: string;
      readonly command: readonly string[];
      readonly model: string | null;
    }
  | {
      readonly type: 'http';
      readonly protocol: 'anthropic' | 'openai';
      readonly url: string;
      readonly model: string;
      readonly keyVariable: string;
    }
  /** A program: the prompt on its standard input, one JSON object on its standard output. */
  | { readonly type: 'command'; readonly line: string };

/** Why there is no opinion where none is wanted. */
export const NOBODY = 'no model is asked';

/** One question of a run with what came of it. */
export interface GivenOpinion {
  readonly outcome: OpinionOutcome;
  readonly at: number;
  /** The attempt it was asked about. */
  readonly attempt: number;
  readonly durationMs: number;
  /** SHA-256 of the prompt, which itself is not stored. */
  readonly promptHash: string;
}

/** What a question cost; null: the provider tells no cost. */
export function costOf(outcome: OpinionOutcome): number | null {
  return outcome.type === 'answered' ? outcome.opinion.costUsd : outcome.costUsd;
}
