/** A durable request for judgment: the real decision, the real options, what each would do. It survives restarts and waits for days. */
import type { Consequence } from './consequence.ts';
import type { Proof } from './word.ts';

export interface QuestionOption {
  /** A resolution of the blocker vocabulary, or a way on that only this question has. */
  readonly id: string;
  readonly label: string;
  readonly effect: string;
  /** Without the person's own words it would say nothing, or something in their name. */
  readonly needsNote?: boolean;
  /** What taking it does; absent in journals of version 1. */
  readonly consequence?: Consequence;
}

/** What a person types to take that option. */
export function answerCall({ id, options }: Question, option: string): string {
  const taken = options.find((one) => one.id === option);
  return `mayday answer ${id} ${option}${taken?.needsNote === true ? ' --note "YOUR WORDS"' : ''}`;
}

export function lacksWords({ options }: Question, option: string, note: string): boolean {
  return note.trim() === '' && options.some(({ id, needsNote }) => id === option && needsNote === true);
}

export interface Answer {
  readonly option: string;
  readonly note: string;
  readonly by: string;
  readonly at: number;
  /** How it was proven; absent in older journals and where policy answered. */
  readonly proof?: Proof;
}

/** Asked while the run waits for room on the disk: it goes on by itself when there is some. */
export const DISK_QUESTION = 'disk_low';

export interface Question {
  readonly id: string;
  /** What the question is about, e.g. `restarts`, `login`, `scope`: scripts and drills match on it. */
  readonly kind: string;
  readonly text: string;
  readonly whyNow: string;
  readonly tried: readonly string[];
  readonly evidence: readonly string[];
  readonly options: readonly QuestionOption[];
  readonly recommended: string;
  readonly askedAt: number;
  readonly deadlineAt: number | null;
  /** What an approval by the answer is bound to. */
  readonly about?: {
    readonly tree: string;
    readonly attempt: number;
    /** Keys of the blockers in question. */
    readonly blockers: readonly string[];
  };
}
