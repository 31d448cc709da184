/** `givesUp`: the last words of an agent say that it did not come to what it was asked for, and claim nothing that was done. */
import { oneOf } from '../../text/one-of.ts';

const COULD_NOT = oneOf(
  /\bI (?:still )?(?:could(?: not|n't)|cannot|can't|am unable to|was(?: not|n't) able to)\b/i,
  /\bI (?:still )?(?:was unable to|failed to|gave up|give up)\b/i,
  /\bI (?:did(?: not|n't)|have(?: not|n't)) (?:manage|succeed|been able|managed|succeeded|found? (?:a|the|out|any))\b/i,
  /\b(?:without (?:any )?success|to no avail|giving up)\b/i,
  /\b(?:I(?:'ll| will)? stop here|beyond repair|not been able to|nothing (?:I tried )?(?:helped|worked))\b/i,
  /\bnone of (?:it|this|that|them|these|those) (?:helped|worked)\b/i,
  /\b(?:still (?:red|fail(?:s|ing)?|broken|open|unsolved|unresolved)|remains? (?:red|broken|open|unsolved|unresolved|failing))\b/i,
);
/** What was done stands in the same words: then it is a report of work with a rest, not a surrender. */
const CLAIMS = oneOf(
  /\b(?:tests?|checks?|specs?|suite|build|cases|everything|all) (?:\w+ ){0,3}(?:pass(?:es|ed)?|green|succeeds?|works?)\b/i,
  /\b(?:is|are|has been|have been|was|were) (?:now |all )?(?:done|fixed|implemented|completed?|finished)\b/i,
  /\b(?:is|are|has been|have been|was|were) (?:now |all )?(?:resolved|in place|working|merged|released)\b/i,
  /\b(?:now (?:works?|pass(?:es)?|returns?|uses?|handles?|supports?|shares?)|successfully|all done|task complete)\b/i,
  /\bI(?:'ve| have)? (?:also |now )?(?:fixed|implemented|added|changed|updated|finished|completed)\b/i,
  /\bI(?:'ve| have)? (?:also |now )?(?:resolved|created|wrote|rewrote|moved|replaced|removed)\b/i,
  /^\W*(?:done|fixed|implemented|added|changed|updated|created)\b/i,
);

export function givesUp(words: string): boolean {
  return COULD_NOT.test(words) && !CLAIMS.test(words);
}
