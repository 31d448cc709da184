/** What a repository says about its own changes: policies and decisions, read from the base and the target, never from the candidate. */

export interface Rule {
  readonly id: string;
  /** The policy in one sentence, as people know it. */
  readonly says: string;
  readonly file: string;
  /** It applies when one of these changes. */
  readonly paths: readonly string[];
  /** RE2 patterns: it applies only if an added line matches one; empty: always. */
  readonly whenAdded: readonly string[];
  /** No added line may match. */
  readonly forbid: readonly string[];
  /** Each must match somewhere in the changed files. */
  readonly require: readonly string[];
  /** One of these must change along, e.g. tests or a changelog. */
  readonly requireChanged: readonly string[];
  /** Commands that must be recorded as passed. */
  readonly checks: readonly string[];
  /** A person's word is needed: before the work starts, before it may be composed, before it is written to the sink. */
  readonly approval: 'before' | 'compose' | 'delivery' | null;
  /** Changing these paths at all needs a record. */
  readonly touchPoint: boolean;
}

export interface DecisionRecord {
  readonly id: string;
  readonly question: string;
  /** Null while it is open. */
  readonly answer: string | null;
  readonly by: string | null;
  readonly since: string | null;
  readonly paths: readonly string[];
  readonly file: string;
}

export interface RepositoryRules {
  readonly rules: readonly Rule[];
  readonly decisions: readonly DecisionRecord[];
  /** Files that could not be understood: a rule nobody can read protects nothing, so it is told. */
  readonly broken: readonly string[];
}

export const NO_RULES: RepositoryRules = { rules: [], decisions: [], broken: [] };

/** Two questions are one if they differ only in case, spaces and the mark at the end. */
export function sameQuestion(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

/** A person has decided it in this run. */
export function isJudged(
  { judgments }: { readonly judgments: readonly { readonly question: string }[] },
  question: string,
): boolean {
  return judgments.some((one) => sameQuestion(one.question, question));
}

export function sameAnswer(a: string, b: string): boolean {
  return plain(a) === plain(b);
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/[?.!\s]+$/, '')
    .trim();
}
