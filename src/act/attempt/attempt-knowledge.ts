/**
 * `attemptKnowledge`: what a new session would not know: last words, decisions, rejected ways, failed calls, open items. Words only
 * choose which sentences are quoted; no decision depends on them.
 * `repeatedCalls`: the calls that were made several times with the same result.
 * `openCalls`: the calls without a result, oldest first: some agents forget them when they are resumed.
 */
import { callKind } from '../../core/detect/call-kind.ts';
import { isEcho } from '../../core/detect/echo.ts';
import type { Knowledge, RepeatedCall } from '../../core/vocabulary/events/examination.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { jsonOrNull } from '../../core/text/json.ts';

type ToldByTranscript = Omit<Knowledge, 'diff' | 'diffLeftOut'>;

const MAX_ITEMS = 4;
const MAX_SENTENCE_CHARS = 240;
const MAX_WORDS_CHARS = 600;
/** Messages are cut before patterns run over them. */
const MAX_MESSAGE_CHARS = 20_000;
const DECIDES =
  /\b(decided|i(?:'ll| will) (?:use|keep|go with)|going with|i chose|settled on|instead of|rather than)\b/i;
const REJECTS =
  /\b(does(?:n't| not) work|did(?:n't| not) (?:work|help)|won't work|cannot work|ruled out|rejected|dead end|not possible|no use)\b/i;

/** `brief`: what the agent was told. A program that prints its input says nothing of its own with it. */
export function attemptKnowledge(entries: readonly TranscriptEntry[], brief = ''): ToldByTranscript {
  const messages = entries.flatMap((entry) =>
    isAgentMessage(entry) ? [entry.text.slice(0, MAX_MESSAGE_CHARS)] : [],
  );
  const isOwn = (text: string) => !isEcho(text.trim(), brief);
  // A plain program has no messages: what it printed is what it said.
  const said =
    messages.length > 0
      ? messages
      : entries.flatMap((entry) =>
          isProgramOutput(entry) && isOwn(entry.text) ? [entry.text.slice(0, MAX_MESSAGE_CHARS)] : [],
        );
  const result = entries.findLast((entry) => isAgentMessage(entry) || entry.type === 'result');
  const words = result?.type === 'result' ? result.text.trim() : (said.at(-1)?.trim() ?? '');
  const sentences = said.flatMap(sentencesOf).filter(isOwn);
  return {
    lastWords: words === '' ? null : words.slice(0, MAX_WORDS_CHARS),
    decided: lastFew(sentences.filter((sentence) => DECIDES.test(sentence) && !REJECTS.test(sentence))),
    rejected: lastFew(sentences.filter((sentence) => REJECTS.test(sentence))),
    failedCalls: failedCalls(entries),
    open: openItems(entries),
  };
}

type Spoken = Extract<TranscriptEntry, { readonly text: string }>;

function isAgentMessage(entry: TranscriptEntry): entry is Spoken & { readonly type: 'message' } {
  return entry.type === 'message' && entry.role === 'agent';
}

function isProgramOutput(entry: TranscriptEntry): entry is Spoken & { readonly type: 'output' } {
  return entry.type === 'output' && entry.stream === 'stdout' && entry.text.trim() !== '';
}

function sentencesOf(text: string): string[] {
  return text
    .split(/\n+|(?<=[.!?])\s+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 10 && sentence.length <= MAX_SENTENCE_CHARS);
}

function lastFew(texts: readonly string[]): string[] {
  return [...new Set(texts)].slice(-MAX_ITEMS);
}

function failedCalls(entries: readonly TranscriptEntry[]): ToldByTranscript['failedCalls'] {
  const failed = new Map<string, string>();
  for (const { tool, input, output, isError } of answeredCalls(entries)) {
    const call = `${tool} ${input}`.slice(0, MAX_SENTENCE_CHARS);
    // Deleted first: a later success clears it, a later failure moves it to the end.
    failed.delete(call);
    if (isError) failed.set(call, errorLineOf(output));
  }
  return [...failed].slice(-MAX_ITEMS).map(([call, result]) => ({ call, result }));
}

/** The line that says what failed: the first that names an error, else the last one. */
function errorLineOf(output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const line =
    lines.find((one) => /error|fail|expected|cannot|not found|denied/i.test(one)) ?? lines.at(-1) ?? '';
  return line.trim().slice(0, MAX_SENTENCE_CHARS);
}

/** What the agent's own list still has open: the last call of a planning tool whose arguments hold items with a state. */
function openItems(entries: readonly TranscriptEntry[]): string[] {
  const list = entries.findLast(
    (entry) => entry.type === 'tool_call' && callKind(entry.tool, entry.input) === 'plan',
  );
  if (list?.type !== 'tool_call') return [];
  return itemsOf(list.input).slice(0, MAX_ITEMS);
}

function itemsOf(input: string): string[] {
  const given = Object(jsonOrNull(input)) as Record<string, unknown>;
  const items = Object.values(given).find(Array.isArray) ?? [];
  return (items as unknown[]).flatMap((item) => {
    const { content, step, text, status } = Object(item) as Record<string, unknown>;
    const said = [content, step, text].find((one) => typeof one === 'string');
    return typeof said === 'string' && status !== 'completed' ? [said.slice(0, MAX_SENTENCE_CHARS)] : [];
  });
}

const MIN_TIMES = 2;
const MAX_REPEATED = 5;
const MAX_CALL_CHARS = 400;

export function repeatedCalls(entries: readonly TranscriptEntry[]): RepeatedCall[] {
  const counts = new Map<string, RepeatedCall>();
  for (const { tool, input, output } of answeredCalls(entries)) {
    const call = `${tool} ${input}`.slice(0, MAX_CALL_CHARS);
    const result = output.trim().slice(0, MAX_CALL_CHARS);
    const key = `${call}\0${result}`;
    counts.set(key, { tool, call, result, times: (counts.get(key)?.times ?? 0) + 1 });
  }
  return [...counts.values()]
    .filter(({ times }) => times >= MIN_TIMES)
    .toSorted((a, b) => b.times - a.times)
    .slice(0, MAX_REPEATED);
}

type Entry<Type> = Extract<TranscriptEntry, { readonly type: Type }>;

/** Each result with the last call of its id. */
function* answeredCalls(
  entries: readonly TranscriptEntry[],
): Generator<Entry<'tool_result'> & Pick<Entry<'tool_call'>, 'tool' | 'input'>> {
  const calls = new Map<string, Entry<'tool_call'>>();
  for (const entry of entries) {
    if (entry.type === 'tool_call') calls.set(entry.id, entry);
    const call = entry.type === 'tool_result' ? calls.get(entry.id) : undefined;
    if (entry.type === 'tool_result' && call !== undefined)
      yield { ...entry, tool: call.tool, input: call.input };
  }
}

export function openCalls(entries: Iterable<TranscriptEntry>): readonly Entry<'tool_call'>[] {
  const open = new Map<string, Entry<'tool_call'>>();
  for (const entry of entries) {
    if (entry.type === 'tool_call') open.set(entry.id, entry);
    else if (entry.type === 'tool_result') open.delete(entry.id);
  }
  return [...open.values()];
}
