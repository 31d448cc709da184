/** `Proof`, `Proven`: how a person's request to a run is proven. `Forgery`: what was refused without proof. */

/**
 * `key`: signed with the person's key, which agents and checks of the run could not read.
 * `not_told_apart`: signed with that key, but any process of the same user could have read the key.
 */
export type Proof = 'key' | 'not_told_apart';

/** The proof of facts that come by mail. Absent in older journals, and if the keeper itself brings the fact. */
export interface Proven {
  readonly proof?: Proof;
  /** Signed together with the request, so that the same letter is accepted only once. */
  readonly nonce?: string;
  /** The signature and its time; absent in journals of older versions. */
  readonly seal?: { readonly at: number; readonly mac: string };
}

export type ForgeryReason =
  | 'unreadable'
  | 'not_for_mail'
  | 'not_signed'
  | 'wrong_signature'
  | 'said_before'
  | 'not_told_apart'
  | 'never_decided'
  | 'differs_from_decision';

/** A row of the record that neither Mayday nor a person wrote. */
export interface Forgery {
  readonly what: 'mail' | 'command' | 'timer';
  /** What the row claims to be. */
  readonly named: string;
  readonly why: ForgeryReason;
}

/** More of them say nothing new, and an attacker must not be able to fill the journal. */
export const MAX_FORGERIES = 50;

const REASONS: Readonly<Record<ForgeryReason, string>> = {
  unreadable: 'it cannot be read',
  not_for_mail: 'only the keeper itself may find that out',
  not_signed: 'nobody signed it',
  wrong_signature: "it is not signed with the person's key",
  said_before: 'the same letter was heard before',
  not_told_apart: 'whatever ran as the same user could have signed it, and policy told_apart wants more',
  never_decided: 'Mayday never decided it',
  differs_from_decision: 'Mayday decided something else',
};

/** For example `mail "accept_requested" was refused: nobody signed it`. */
export function forgeryWords({ what, named, why }: Forgery): string {
  return `${what} "${named}" was refused: ${REASONS[why]}`;
}

interface Reach {
  readonly homeHidden: boolean;
  readonly doors?: readonly string[];
  readonly asRoot: boolean;
}

/** The key proves a person only if no process of the run could read it. */
export function proofOf(attempts: readonly Reach[]): Proof {
  return attempts.length > 0 && !attempts.some(reachesKey) ? 'key' : 'not_told_apart';
}

/** By itself, by a program outside that starts what the agent tells it, or as root by a system file that processes outside run. */
function reachesKey({ homeHidden, doors = [], asRoot }: Reach): boolean {
  return !homeHidden || doors.length > 0 || asRoot;
}

/** The requests that deliver work or change a limit. */
const APPROVALS: ReadonlySet<string> = new Set(['accept_requested', 'question_answered', 'rescue_requested']);

/** True: the policy requires that a person can be told from the agent, but an agent of this run could have read the person's key. */
export function isNotToldApart(
  word: string,
  run: {
    readonly policy: { readonly told_apart: number };
    readonly attempts: readonly (Reach & { readonly startedAt: number | null })[];
  },
): boolean {
  const sawKey = run.attempts.some((attempt) => attempt.startedAt !== null && reachesKey(attempt));
  return run.policy.told_apart !== 0 && sawKey && APPROVALS.has(word);
}
