/** `complains`: whether a line is worded like a complaint. Prose has such words too: ask also where the line stands. */
import { inLines } from './in-lines.ts';

const REFUSES = inLines('i')`
  \b(?:(?:can(?:'|’|no)t|can not|could ?(?:n't|n’t| not)|unable to|don't know|doesn't)\b|(?:does not (?:exist|contain|appear|match|look|
  support|have|know)|(?:is|are|was|were|has|have) not\b|isn't|aren't)\b|(?:wasn't|hasn't|haven't)\b|not (?:found|recogni[sz]ed|defined|
  valid|supported|allowed|permitted|exist|readable|available|a (?:valid|known|directory)|in \w{1,12} format|look like)\b|(?:no such|
  no idea|matched no|did(?:n't| not) (?:match|appear|apply|exist|contain|work|start|succeed))\b|no \S{1,30} (?:was|were) (?:performed|
  made|applied|changed|replaced)\b|no \S{1,30}(?: \w{1,30}){0,3} (?:found|specified|given|available|defined|loaded|matche[sd]|
  exists?)\b|(?:fail(?:ed|ure|s)|invalid|illegal|improper|malformed|corrupt(?:ed)?|damaged|unexpected|unrecogni[sz]ed|unknown)\b|
  (?:undefined|unbound|unresolved|unterminated|missing|mismatch|out of (?:range|bounds?|memory|sync)|exceed(?:s|ed))\b|(?:refused|
  denied|rejected|truncated|premature|incomplete|bad \w+|too (?:many|long|large|few|short|big))\b|(?:already exists|aborted|expected \S|
  must (?:be|have|not)|required|unsupported|division by zero)\b)`;

/** Sentences that only sound so: advice, counts of nothing, progress. */
const ONLY_SOUNDS = inLines('i')`
  \b(?:if |when |unless |skip(?:ped|ping)?|ignor(?:ed|ing)|will be|deprecat|warning|info:|note:|hint:)\b|\b(?:expected to (?:be|take)|
  as expected|recommended|deleted|removed|cleared|archived|requeued|retried|purged)\b|\b(?:instead|no longer|done|passed|0 )\b`;

/** File names, options and identifiers hold such words without saying them. */
const NAME = /[\w)][./_=-][\w(]|^--?\w/;
/** Fewer words are a label. */
const SENTENCE = /\S \S+ \S/;

export function complains(text: string): boolean {
  // Most texts hold none of the words, with or without their names.
  if (text[0] === '<' || !REFUSES.test(text)) return false;
  const prose = text
    .replace(/:(?=[a-z])/g, ': ')
    .split(' ')
    .map((word) => (NAME.test(word) ? 'x' : word))
    .join(' ');
  return SENTENCE.test(prose) && REFUSES.test(prose) && !ONLY_SOUNDS.test(prose);
}
