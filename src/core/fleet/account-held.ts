/** `accountHeld`, `accountWords`: whose account a hold is about, as its key tells. */

export interface AccountHeld {
  readonly agent: string;
  /** Null: every model. */
  readonly model: string | null;
  /** Its name; null: it has none and is told apart by `tag`. */
  readonly account: string | null;
  /** The first digits of the hash of an account without a name. */
  readonly tag: string;
}

/** An account without a name is known by a hash of its environment. */
const HASHED = /^[0-9a-f]{16}$/;
const TAG_DIGITS = 4;

/** Null: the hold is about no account. */
export function accountHeld(key: string): AccountHeld | null {
  const [about = '', ...parts] = key.split(':');
  if (!['account', 'login', 'model', 'network'].includes(about) || parts.length < 2) return null;
  if (about === 'network') parts.shift();
  const [agent = '', ...rest] = parts;
  // A port of this machine concerns one run alone.
  if (about === 'network' && agent === 'run') return null;
  const account = rest.at(-1) ?? '';
  return {
    agent,
    model: about === 'model' ? rest.slice(0, -1).join(':') : null,
    account: HASHED.test(account) ? null : account,
    tag: account.slice(0, TAG_DIGITS),
  };
}

/** The account in words, e.g. `claude, account team-a`. Its tag tells accounts without a name apart. */
export function accountWords({ agent, account, tag }: AccountHeld): string {
  return `${agent}, ${account === null ? `an account without a name (${tag})` : `account ${account}`}`;
}
