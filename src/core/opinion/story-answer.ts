/**
 * `checkStory`: what the record holds of an answer to `story`: quotations in the entries that it names, and what it counts. What is false
 * is dropped and lowers the confidence; without one quotation that holds, the answer is refused.
 */
import { STORY_STATES, type StoryAnswer } from '../detect/autopsy/story-opinion.ts';
import { oneLine } from '../text/quote-fenced.ts';
import type { CheckedAnswer, CheckedClaim } from '../vocabulary/opinion.ts';
import { isCopied, QUOTES, quotesHeld } from './quotes.ts';
import { choice, formed, manyOf, orNull, readForm, sentence, share, verbatim, wholeNumber } from './reply.ts';
import type { StoryRecord } from './story-record.ts';

interface CountClaim {
  readonly kind: 'never' | 'times';
  readonly tool: string;
  readonly text: string;
  readonly n: number | null;
}

export const SENTENCE_CHARS = 400;
export const MAX_COUNTS = 6;
const COUNTED_CHARS = 200;
const TOOL_CHARS = 100;

const FORM = {
  stuck: choice(STORY_STATES),
  since_entry: orNull(wholeNumber),
  cause: sentence(SENTENCE_CHARS),
  next_step: sentence(SENTENCE_CHARS),
  quotes: QUOTES,
  claims: manyOf(
    formed<CountClaim>({
      kind: choice(['never', 'times'] as const),
      tool: (value) => (typeof value === 'string' && value.length <= TOOL_CHARS ? value : undefined),
      // Without a text, all calls of the tool are counted.
      text: (value) => (value === '' ? value : verbatim(COUNTED_CHARS)(value)),
      n: orNull(wholeNumber),
    }),
    MAX_COUNTS,
  ),
  confidence: share,
};

export function checkStory(reply: unknown, record: StoryRecord): CheckedAnswer<StoryAnswer> | string {
  const read = readForm(reply, FORM);
  if (typeof read === 'string') return read;
  const { stuck, since_entry, cause, next_step, confidence } = read;
  const wrong = contradiction(read, record);
  if (wrong !== null) return wrong;
  const held = quotesHeld(record.entries, read.quotes);
  if (typeof held === 'string') return held;
  const checked: CheckedClaim[] = [
    ...held.checked,
    ...read.claims.map((claim) => ({ claim: claimText(claim), holds: holds(claim, record) })),
  ];
  return {
    answer: { stuck, since_entry, cause, next_step },
    quotes: held.quotes,
    checked,
    confidence: (confidence * checked.filter((claim) => claim.holds).length) / checked.length,
  };
}

function contradiction(
  { stuck, since_entry, cause, next_step }: StoryAnswer,
  { entries }: StoryRecord,
): string | null {
  if (cause === '') return 'the cause is empty';
  if (stuck === 'stuck' && (since_entry === null || next_step === ''))
    return 'a run that is stuck needs since_entry and next_step';
  if (stuck !== 'stuck' && since_entry !== null) return `${stuck} contradicts since_entry ${since_entry}`;
  if (since_entry !== null && since_entry >= entries.length) return `the record has no entry ${since_entry}`;
  return isCopied(cause, entries) || isCopied(next_step, entries)
    ? 'cause or next_step is a copy of the material'
    : null;
}

function holds({ kind, tool, text, n }: CountClaim, { calls }: StoryRecord): boolean {
  const named = tool.toLowerCase();
  const count = calls.filter(
    (call) => (named === '' || call.tool.toLowerCase() === named) && call.text.includes(text.trim()),
  ).length;
  return kind === 'never' ? count === 0 : n === count;
}

function claimText({ kind, tool, text, n }: CountClaim): string {
  return `${kind === 'never' ? 'never' : `${n ?? 'unknown'} times`} ${oneLine(`${tool} ${text}`)}`;
}
