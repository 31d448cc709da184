/**
 * `storyQuestion`: asks whether a run was stuck, since when, why, and what to do next. Structure chooses what of the record is shown;
 * the record checks what is answered. It decides nothing.
 */
import type { Autopsy } from '../detect/autopsy/autopsy.ts';
import type { StoryAnswer } from '../detect/autopsy/story-opinion.ts';
import type { TranscriptEntry } from '../vocabulary/transcript.ts';
import { MAX_PROMPT_CHARS, type OpinionQuestion, promptOf } from './opinion-question.ts';
import { checkStory, MAX_COUNTS, SENTENCE_CHARS } from './story-answer.ts';
import { QUOTES_FORM } from './quotes.ts';
import { callIndex } from './story-index.ts';
import { storyMaterial } from './story-material.ts';
import { storyRecord } from './story-record.ts';

const ASKED: readonly string[] = [
  'A coding agent worked on a task. This is an extract of the record of its run, chosen by structure alone; ' +
    '[n] is the number of an entry of the record. Was it stuck, since when, why, and what should be done next?',
  'stuck: from some entry on it got no nearer to the goal and nothing shows that it would have come out by ' +
    'itself: one call, edit, search, error or idea again and again, also in small variations; back and forth ' +
    'between states; reading on and on without use; something that it needs and cannot get (a tool, a right, a ' +
    'file, a network, an answer); no valid call at all. A person who watched would have stepped in.',
  'not_stuck: it got on, or came to an end. A few retries, a wait for something that moves, failures that ' +
    'change while it works on them, a long search that brings new things, trouble that it got over, a wrong ' +
    'result, and an end by a person or a limit in the middle of progress are not stuck.',
  'The cause is why, not that it repeats: what is missing or wrong, or what the agent takes for granted, ' +
    'with the file, command or message by its name. The next step is what an experienced colleague would do or ' +
    'change now. Both in your own words, without a command line.',
];

const FORM: readonly string[] = [
  '  "stuck": "stuck" | "not_stuck" | "cannot_tell",',
  '  "since_entry": the number of the entry with which the stretch without progress began; null unless stuck,',
  `  "cause": one sentence of at most ${SENTENCE_CHARS} characters; of a run that was not stuck, how it went,`,
  '  "next_step": one sentence; "" where nothing is to be done,',
  QUOTES_FORM,
  `  "claims": 0 to ${MAX_COUNTS} objects about what you rely on and could not quote; each is counted over the whole record:`,
  '    {"kind": "never" | "times", "tool": the name of a tool or "" for any, "text": a text that the arguments ' +
    'of its calls never hold, or hold in n calls, "n": that number; null for never},',
  '  "confidence": a number from 0 to 1: how sure you are of stuck and cause',
];

/** `entries`: redacted, as those that `found` was read from. */
export function storyQuestion(
  entries: readonly TranscriptEntry[],
  found: Autopsy,
  mark: string,
): OpinionQuestion<StoryAnswer> {
  const { facts, material } = storyMaterial(entries, found);
  const promptWith = (index: string) =>
    promptOf({
      task: ASKED,
      facts,
      material: [...material, { title: 'The calls: [entry] call -> [entry] telling line', text: index }],
      form: FORM,
      mark,
    });
  const index = callIndex(entries, found, MAX_PROMPT_CHARS - promptWith('-').length);
  const record = storyRecord(entries);
  return { kind: 'story', prompt: promptWith(index), check: (reply) => checkStory(reply, record) };
}
