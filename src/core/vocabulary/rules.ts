/** `RepositoryRules`: policies and decisions of a repository, read from the base and the target, never from the candidate. */

export const POLICY_FOLDER = '.mayday/policies';
export const DECISION_FOLDER = '.mayday/decisions';

export interface Rule {
  readonly id: string;
  /** The policy in one sentence, in the words that people know. */
  readonly says: string;
  readonly file: string;
  /** The rule applies if one of these paths changes. */
  readonly paths: readonly string[];
  /** RE2 patterns. The rule applies only if an added line matches one; if empty, always. */
  readonly whenAdded: readonly string[];
  /** No added line may match. */
  readonly forbid: readonly string[];
  /** Each must match somewhere in the changed files. */
  readonly require: readonly string[];
  /** One of these paths must change too, for example tests or a changelog. */
  readonly requireChanged: readonly string[];
  /** Commands that must be recorded as passed. */
  readonly checks: readonly string[];
  /** When a person must approve: before the work starts, before it may be composed, or before it is written to the sink. */
  readonly approval: 'before' | 'compose' | 'delivery' | null;
  /** Every change of these paths needs a record. */
  readonly touchPoint: boolean;
}

export interface DecisionRecord {
  readonly id: string;
  readonly question: string;
  /** Null while the decision is open. */
  readonly answer: string | null;
  readonly by: string | null;
  readonly since: string | null;
  readonly paths: readonly string[];
  readonly file: string;
}

export interface RepositoryRules {
  readonly rules: readonly Rule[];
  readonly decisions: readonly DecisionRecord[];
  /** Rule files that cannot be read. An unreadable rule protects nothing, so the run reports it. */
  readonly broken: readonly string[];
}

export const NO_RULES: RepositoryRules = { rules: [], decisions: [], broken: [] };

/** Two questions are the same if they differ only in case, spaces and the punctuation at the end. */
export function sameQuestion(a: string, b: string): boolean {
  return plain(a) === plain(b);
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
