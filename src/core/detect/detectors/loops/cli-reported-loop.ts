/** `cliReportedLoop`: notices that an agent CLI reports a loop itself, though it may then end as a success. */
import { type Detector, quote, raise } from '../../detector.ts';

const OWN_WORD = /\b(loop detected|potential loop|stuck in a loop|repeated tool calls detected|doom loop)\b/i;
/** Only the first words of a final answer are the CLI's own; further down the agent may write about any loop. */
const OWN_RESULT = /^(a )?(potential )?loop (was )?detected\b/i;
const LINE_CHARS = 400;

export const cliReportedLoop: Detector<boolean> = {
  name: 'loop told by the agent CLI',
  init: false,
  next: (raised, { entry, step }) => {
    if (raised || (entry.type !== 'error' && entry.type !== 'result')) return [raised, []];
    const text = entry.text.slice(0, LINE_CHARS);
    if (!(entry.type === 'error' ? OWN_WORD : OWN_RESULT).test(text)) return [false, []];
    return raise(true, entry, step, {
      type: 'looping',
      severity: 'critical',
      reason: `the agent CLI stopped itself: ${quote(text)}`,
      sinceAt: entry.at,
      evidence: [quote(text)],
      confidence: 0.85,
      suggestedAction: 'do not trust its exit status; resume with what it kept repeating',
      disproof: 'every check passes',
    });
  },
};
