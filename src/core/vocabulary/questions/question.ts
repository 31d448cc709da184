/** `Question`: a lasting request for a person's decision. It survives restarts and can wait for days. */
import type { StoredKey } from './approval.ts';
import type { QuestionOption } from './resolution.ts';
import type { Proof } from '../events/word.ts';

/**
 * The command that chooses that option: for programs by its code, for a person by its number in the list that is shown. Null: whichever the
 * person chooses.
 */
export function answerCall({ id, options }: Question, option: string | null, by: 'code' | 'number'): string {
  if (option === null) return `mayday answer ${id} ${by === 'code' ? 'OPTION' : 'NUMBER'}`;
  const at = options.findIndex((one) => one.id === option);
  const words = options[at]?.needsNote === true ? ' --note "YOUR WORDS"' : '';
  return `mayday answer ${id} ${by === 'code' ? option : Math.max(0, at) + 1}${words}`;
}

export function lacksWords({ options }: Question, option: string, note: string): boolean {
  return note.trim() === '' && options.some(({ id, needsNote }) => id === option && needsNote === true);
}

export interface Answer {
  readonly option: string;
  readonly note: string;
  readonly by: string;
  readonly at: number;
  /** How it was proven; absent in older journals and where the policy answered. */
  readonly proof?: Proof;
}

/** The kind of the question that is asked while the run waits for room on the disk. The run goes on by itself when there is room. */
export const DISK_QUESTION = 'disk_low';

export interface Question {
  readonly id: string;
  /** What the question is about, for example `restarts`, `login`, `scope`. Scripts and drills match on it. */
  readonly kind: string;
  readonly text: string;
  readonly whyNow: string;
  readonly tried: readonly string[];
  readonly evidence: readonly string[];
  readonly options: readonly QuestionOption[];
  /** Chosen by `safeOption`; read it by `recommendedOf`. */
  readonly recommended: string | null;
  readonly askedAt: number;
  readonly deadlineAt: number | null;
  /** What an approval by this answer is bound to. */
  readonly about?: {
    readonly tree: string;
    readonly attempt: number;
    /** The keys of the blockers that the question is about. */
    readonly blockers: readonly StoredKey[];
  };
}
