/**
 * `KeptEntries`: the entries of a session in bounded memory, however large its file is. The newest are kept whole; of older long texts
 * only the two ends stay, with a mark of the rest, so that equal texts stay equal and different ones different.
 */
import { hashLoose } from '../../core/detect/text-hash.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';

/** Characters of the newest entries that are kept whole, about what a model still has in its context. */
const WHOLE_CHARS = 256 << 10;
const HEAD_CHARS = 200;
const TAIL_CHARS = 120;
/** A shorter text would hardly get shorter. */
const LONG_CHARS = 2 * (HEAD_CHARS + TAIL_CHARS);

export class KeptEntries {
  readonly entries: TranscriptEntry[] = [];
  #wholeChars = 0;
  /** The first entry that is still whole. */
  #firstWhole = 0;

  push(entry: TranscriptEntry): void {
    this.entries.push(entry);
    this.#wholeChars += textOf(entry).length;
    for (; this.#wholeChars > WHOLE_CHARS; this.#firstWhole++) {
      const oldest = this.entries[this.#firstWhole] as TranscriptEntry;
      const text = textOf(oldest);
      this.#wholeChars -= text.length;
      if (text.length > LONG_CHARS) this.entries[this.#firstWhole] = withText(oldest, shortened(text));
    }
  }
}

function textOf(entry: TranscriptEntry): string {
  switch (entry.type) {
    case 'tool_call':
      return entry.input;
    case 'tool_result':
      return entry.output;
    case 'message':
    case 'error':
    case 'result':
    case 'output':
    case 'compaction':
      return entry.text;
    default:
      return '';
  }
}

function withText(entry: TranscriptEntry, text: string): TranscriptEntry {
  if (entry.type === 'tool_call') return { ...entry, input: text };
  return entry.type === 'tool_result' ? { ...entry, output: text } : ({ ...entry, text } as TranscriptEntry);
}

function shortened(text: string): string {
  // Comparing texts leaves numbers out, so the mark is made of letters.
  const mark = hashLoose(text)
    .toString(26)
    .replaceAll(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)));
  const short = `${text.slice(0, HEAD_CHARS)}\n[cut by Mayday: ${text.length} characters, ${mark}]\n${text.slice(-TAIL_CHARS)}`;
  // A part of a string keeps the whole of it in memory; only other bytes make a new one.
  return Buffer.from(short).toString();
}
