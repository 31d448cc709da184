/** `saysSuccess`: whether the last lines of an output say that it worked. */
import { oneOf } from '../text/one-of.ts';
import type { Line } from './lines/read-lines.ts';

/** A verdict stands in the last screenful. */
const VERDICT_LINES = 12;

const WELL = oneOf(
  /^(?:done|ok|success|passed|finished|complete[d]?|clean|ready|all good)[.!]?$/i,
  /\b(?:succeeded|success(?:ful(?:ly)?)?|completed|finished(?! in \d)|all (?:checks|tests|specs) pass(?:ed)?)\b/i,
  /\b(?:(?:[1-9]\d*) (?:tests? )?pass(?:ed|ing)|up to date|upload(?:ed)? succeeded|build completed)\b/i,
  /\b(?:BUILD SUCCESS(?:FUL)?|Done in|Built in|compiled successfully|built in|added \d+ packages?)\b/i,
  /\b(?:Successfully installed|exit(?:ed)? (?:code|status) 0|recovered|healthy|no issues found|0 errors)\b/i,
  /\b(?:0 fail(?:ures|ed|ing)(?![=\w])|deployed|saved|written|wrote|published|merged|fast-forward|nothing to do)\b/i,
  /\b(?:are satisfied|Ran all test suites)\b|^OK\b|"(?:ok|success)": ?true|^PASS\b|test result: ok|^ok\b|✓|✔|✅|All done/i,
  /\b200 OK\b|Already up to date|\b(?:is )?complete$/i,
);
const BADLY = oneOf(
  /\b(?:[1-9]\d* (?:failed|failing|failures?|errors?)|failed|failure|FAILED|errors?|aborted|before|unsuccessful)\b/i,
  /\b(?:not (?:finished|completed)|fatal)\b/i,
);

/** Failures that there are not, or not any more. */
const NONE_LEFT = oneOf(
  /\b(?:0|no) (?:failed|failing|failures?|errors?|problems?)\b/gi,
  /\b(?:errors?|failures?)(?= (?:no longer|(?:is|are|was|were) (?:gone|fixed|resolved)))/gi,
);

export function saysSuccess(lines: readonly Line[], states: (at: number) => boolean = () => false): boolean {
  let looked = 0;
  for (let at = lines.length - 1; at >= 0 && looked < VERDICT_LINES; at -= 1) {
    const text = (lines[at] as Line).text;
    if (text === '') continue;
    if (states(at)) return false;
    looked += 1;
    const zeroed = text.replace(NONE_LEFT, ' ');
    if (BADLY.test(zeroed) && !/\b0 errors?\b/i.test(text)) return false;
    if (WELL.test(text)) return true;
  }
  return false;
}
