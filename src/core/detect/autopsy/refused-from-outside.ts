/**
 * `isRefusedFromOutside`: what repeats is a refusal by a rule that is not the agent's, or a host that is not reached from here: whether the
 * agent can mend that, the record does not tell.
 */
import { oneOf } from '../../text/one-of.ts';
import type { Repeated } from './repeated-turns.ts';

const BY_RULE = oneOf(
  /\bpre-receive hook declined\b|\[remote rejected\]|\bprotected (?:branch|tag|ref|environment)\b/i,
  /\b(?:denied|refused|rejected|blocked|forbidden|disallowed|not allowed) by (?:\S+ ){0,3}(?:polic\w+|rules?|admin\w*|organi[sz]ation)\b/i,
  /\bpolicy: \S|\bviolates? (?:\S+ ){0,3}polic\w+|\bexplicit deny\b|\b403 forbidden\b/i,
);
const NO_HOST = oneOf(
  /\bno such host\b|\bcould(?: not|n't) resolve (?:host|proxy)|\bname or service not known\b/i,
  /\btemporary failure (?:in name resolution|resolving)/i,
  /\bnetwork is unreachable\b|\bno route to host\b|\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|EHOSTUNREACH)\b/i,
);

export function isRefusedFromOutside({ turns }: Repeated): boolean {
  const refused = turns.filter(({ output }) => BY_RULE.test(output) || NO_HOST.test(output));
  return refused.length * 2 > turns.length;
}
