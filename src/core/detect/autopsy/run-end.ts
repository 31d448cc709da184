/** `endOf`: tells from the last entries of a transcript, which has no exit codes, how a run ended. */
import { oneOf } from '../../text/one-of.ts';
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';
import { changes } from '../staleness.ts';
import { givesUp } from './gives-up.ts';
import type { RecordedTurn } from './recorded-turn.ts';
import { TRACEBACK } from '../error-line.ts';

/** `limit`: of money, turns, time or context. `gave up`: the agent ended by itself and said that it could not. */
export type TranscriptEnd = 'person' | 'error' | 'limit' | 'result' | 'gave up' | 'cut off';

const SUBMITTED = /^(submit|finish|complete|exit)\b|COMPLETE_TASK|TERMINATE|task (is )?(complete|done)/i;
const RAN_OUT = oneOf(
  /exit_(cost|context|abort|timeout)|autosubmitted|max(imum)? (turns|rounds|iterations|steps|budget)/i,
  /(?:limits?|max(?:imum)? time(?: \([^)\n]{1,20}\))?|counter) ?(reached|exceeded)|out of budget/i,
);
/** What a harness itself says with a call: a program that was called may speak of limits of its own. */
const OF_HARNESS = /exit_(?:cost|context|abort|timeout)|autosubmitted/i;
/** An answer stands at the end, whatever else the program printed before it. */
const ANSWERED = /^\W{0,4}final answer\b\W{0,4}\S/im;
export const INTERRUPTED = /^\[(Request interrupted by user|turn aborted|aborted)/;

/** The agent announces more work or waits for something; "the cache will be warm" says what was made. */
const GOES_ON = oneOf(
  /\b(?:I(?:'ll| will| am going to|'m going to| try| need to| have to| should)|let me|let's|we(?:'ll| will| need to)|next,? I|now I)\b/i,
  /\bI keep\b/i,
  /\b(?:still (?:queued|pending|running|waiting|building|locked|not)|try(?:ing)? (?:again|once more)|once more|not yet|next step)\b/i,
);
const LAST_WORDS_CHARS = 160;
const GIVES_UP = oneOf(
  /\b(?:could(?: not|n't)|cannot|can't|(?:was|am|were) (?:not able|unable)|unable) (?:to )?\w/i,
  /\bplease\b[^.\n]{0,80}\b(?:manually|yourself|later)\b/i,
  /\b(?:still (?:red|fail(?:s|ing)|broken)|I(?:'ll| will)? stop here|beyond repair|giv(?:e|ing) up)\b/i,
);
const CLOSING_CHARS = 800;
/** A program that crashed says so at once. */
const OPENING_CHARS = 400;

/**
 * How a run ended; by its own word only if that word does not say that the last call, which failed, was too much for it, or that the
 * work, which changed files or left a red check, came to nothing.
 */
export function endOf(entries: readonly TranscriptEntry[], turns: readonly RecordedTurn[]): TranscriptEnd {
  const end = lastOf(entries);
  if (end !== 'result') return end;
  const words = closingWords(entries);
  const isBeaten = turns.at(-1)?.failed === true && GIVES_UP.test(words);
  const isRed = turns.findLast(({ kind }) => kind === 'test')?.failed === true;
  return isBeaten || ((isRed || turns.some(changes)) && givesUp(words)) ? 'gave up' : end;
}

/** What the agent said last, if nothing was done after it. */
export function closingWords(entries: readonly TranscriptEntry[]): string {
  const at = entries.findLastIndex(({ type }) => type === 'tool_call' || type === 'tool_result');
  const rest = entries.slice(at + 1);
  // Some programs repeat an earlier message as their last word.
  const message = rest.findLast((entry) => entry.type === 'message' && entry.role === 'agent');
  const said = message ?? rest.findLast((entry) => entry.type === 'result');
  return said?.type === 'message' || said?.type === 'result' ? said.text.trimEnd().slice(-CLOSING_CHARS) : '';
}

function lastOf(entries: readonly TranscriptEntry[]): TranscriptEnd {
  const last = entries.findLast(
    (entry) => entry.type !== 'usage' && entry.type !== 'unknown' && entry.type !== 'progress',
  );
  if (last === undefined) return 'cut off';
  switch (last.type) {
    case 'result':
      if (RAN_OUT.test(`${last.subtype} ${last.subtype.replaceAll('_', ' ')}`)) return 'limit';
      return last.isError ? 'error' : 'result';
    case 'error':
    case 'retry':
      return 'error';
    case 'message':
      if (last.role === 'person') return INTERRUPTED.test(last.text) ? 'person' : 'cut off';
      if (ranOut(entries)) return 'limit';
      if (isAnswer(last.text)) return 'result';
      if (last.text.slice(0, OPENING_CHARS).includes(TRACEBACK)) return 'error';
      return GOES_ON.test(lastSentence(last.text)) ? 'cut off' : 'result';
    case 'tool_result': {
      const call = entries.findLast((entry) => entry.type === 'tool_call' && entry.id === last.id);
      const input = call?.type === 'tool_call' ? call.input.slice(0, 200) : '';
      if (OF_HARNESS.test(input) || OF_HARNESS.test(last.output.slice(0, 200))) return 'limit';
      return SUBMITTED.test(input) || isAnswer(last.output) ? 'result' : 'cut off';
    }
    case 'tool_call':
      return SUBMITTED.test(last.input.slice(0, 200)) || SUBMITTED.test(last.tool) ? 'result' : 'cut off';
    default:
      return 'cut off';
  }
}

function isAnswer(text: string): boolean {
  return ANSWERED.test(text.slice(-CLOSING_CHARS));
}

/** A program may say something more after it said that a limit is reached. */
function ranOut(entries: readonly TranscriptEntry[]): boolean {
  const last = entries.filter((entry) => entry.type === 'message').slice(-2);
  return last.some((entry) => entry.role !== 'person' && RAN_OUT.test(entry.text.slice(0, 200)));
}

function lastSentence(text: string): string {
  const end = text.trimEnd().slice(-LAST_WORDS_CHARS);
  return end.slice(Math.max(end.lastIndexOf('\n', end.length - 2), end.lastIndexOf('. ')) + 1);
}
