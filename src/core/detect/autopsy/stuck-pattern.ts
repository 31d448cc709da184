/**
 * `stuckPattern`: what repeated most while a run was stuck: one error, one call, or nothing that can be named. The cause and the advice of
 * an autopsy are made from it, because the last failure of a run is often a different one.
 */
import { isFinishing } from '../finishing.ts';
import type { Turn } from '../turn.ts';
import { type Repeated, repeated } from './autopsy-brief.ts';

export interface StuckPattern {
  /** The failing turn whose error came most often, with its count; null if no error came twice. */
  readonly failure: Repeated | null;
  /** The turn that was repeated most, whether it failed or not; null if none was made twice. */
  readonly call: Repeated | null;
  /** What to do first, in one sentence; null if nothing that repeated tells. */
  readonly startHere: string | null;
}

export function stuckPattern(turns: readonly Turn[]): StuckPattern {
  const groups = repeated(turns);
  const failure = groups.find(({ turn }) => turn.failed) ?? null;
  const call = groups[0] ?? null;
  return { failure, call, startHere: adviceFor(failure, call, turns) };
}

interface AdviceRule {
  readonly says: RegExp;
  readonly advice: string;
}

/** By the error that repeats, the most telling first. */
const BY_ERROR: readonly AdviceRule[] = [
  {
    says: /\bcommand not found|unknown (?:tool|command)|is not recognized as|no module named|cannot find module|JAVA_HOME/i,
    advice:
      'The program or module is not there. Do not call it again: use what is installed, or say that it has to be installed.',
  },
  {
    says: /\b(?:not unique|multiple (?:matches|occurrences)|found \d+ matches|more than once)\b/i,
    advice: 'The text to replace is not unique. Add the lines before and after it until it is.',
  },
  {
    says: /\b(?:string to replace|old_?str(?:ing)?|search (?:text|block)|context).{0,40}not found|did not (?:match|appear)|no match for/i,
    advice:
      'The text to replace is not in the file as written. Read those lines again and copy them exactly.',
  },
  {
    says: /\b(?:syntax error|SyntaxError|unexpected (?:token|indent|EOF)|invalid syntax|E\d{3} )/i,
    advice:
      'What is written does not parse. Look at the language of the file and at the lines around, then write the whole block anew.',
  },
  {
    says: /\b(?:no such file|does not exist|not found|cannot find)\b/i,
    advice:
      'It is not where the calls look for it. List the folder, or search the tree by a part of the name, before opening anything.',
  },
  {
    says: /\b(?:timed out|timeout|killed|out of memory)\b/i,
    advice:
      'The command does not end in time. Run a smaller part of it, with a limit of its own, and measure where the time goes.',
  },
  {
    says: /\b(?:permission|denied|not permitted|not allowed|requires approval)\b/i,
    advice: 'It is not allowed. Do without it, or say what you need it for and stop.',
  },
];

function adviceFor(failure: Repeated | null, call: Repeated | null, turns: readonly Turn[]): string | null {
  const known = failure === null ? undefined : BY_ERROR.find(({ says }) => says.test(failure.turn.errorLine));
  if (known !== undefined) return known.advice;
  if (failure !== null && turns.some(({ kind, failed }) => kind === 'edit' && !failed))
    return 'The edits so far did not move this failure. Print the wrong value and test the assumption that the edits share.';
  if (call === null) return null;
  if (isFinishing(call.turn.tool, call.turn.input))
    return 'The work is refused with the same words. Find out what exactly is missing before you say again that it is done.';
  if (call.turn.failed) return null;
  if (call.turn.barren)
    return 'The searches find nothing. The name is not in this tree as written: list the tree, and search by a part of it.';
  const inputs = new Set(
    turns.filter(({ callLoose }) => callLoose === call.turn.callLoose).map(({ input }) => input),
  );
  if (inputs.size > 2 && (call.turn.kind === 'read' || call.turn.kind === 'other'))
    return 'Do not page through it. Search for the name you need (`grep -n`), then read only those lines.';
  return 'The result of this call is known and will not change. Say what is still missing, and make the call that can tell it.';
}
