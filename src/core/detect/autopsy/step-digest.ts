/**
 * `stepDigest`: a run as text for a model: every step numbered and shortened, the middle of a long run left out. `adoptSuspect`: adopts its
 * answer on where the run went wrong only if that names a step that was shown and quotes text of it.
 */
import type { TranscriptEntry } from '../../vocabulary/transcript.ts';

export interface StepDigest {
  readonly text: string;
  /** The text that was shown of each step. */
  readonly shown: ReadonlyMap<number, string>;
}

/** About 10,000 tokens, to limit how long a person waits and what it costs. */
const DIGEST_CHARS = 40_000;
/** Of a longer run, the first and the last half of these are shown; both ends tell more than the middle. */
const STEPS_SHOWN = 300;
const STEP_CHARS_LEAST = 100;
const STEP_CHARS_MOST = 1_200;

export function stepDigest(entries: readonly TranscriptEntry[], clean: (text: string) => string): StepDigest {
  const told = entries.flatMap((entry, step) => {
    const said = words(entry);
    return said === null ? [] : [{ step, ...said }];
  });
  const half = STEPS_SHOWN / 2;
  const parts = told.length <= STEPS_SHOWN ? told : [...told.slice(0, half), ...told.slice(-half)];
  const chars = Math.min(
    STEP_CHARS_MOST,
    Math.max(STEP_CHARS_LEAST, Math.floor(DIGEST_CHARS / Math.max(1, parts.length))),
  );
  const shown = new Map<number, string>();
  const lines: string[] = [];
  for (const [index, { step, who, text }] of parts.entries()) {
    const cleaned = cut(clean(text), chars);
    shown.set(step, cleaned);
    if (index === half && told.length > STEPS_SHOWN)
      lines.push(`[${told.length - STEPS_SHOWN} steps left out]`);
    lines.push(`step ${step} (${who}): ${cleaned}`);
  }
  return { text: lines.join('\n'), shown };
}

function words(entry: TranscriptEntry): { readonly who: string; readonly text: string } | null {
  switch (entry.type) {
    case 'message':
      return { who: entry.role, text: entry.text };
    case 'tool_call':
      return { who: `agent calls ${entry.tool || 'a tool'}`, text: entry.input };
    case 'tool_result':
      return { who: entry.isError ? 'answer, an error' : 'answer', text: entry.output };
    case 'error':
    case 'retry':
      return { who: 'error', text: entry.text };
    case 'result':
      return { who: 'last word', text: entry.text };
    case 'compaction':
      return { who: 'context compacted', text: '' };
    default:
      return null;
  }
}

/** Keeps the beginning, which says what the text is, and the end, which says how it went. */
function cut(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const tail = Math.floor(chars / 3);
  return `${text.slice(0, chars - tail)} […] ${text.slice(-tail)}`;
}

export interface ModelSuspect {
  readonly step: number;
  readonly reason: string;
  readonly evidence: string;
}

/** Shorter evidence occurs in many steps and proves nothing. */
const EVIDENCE_LEAST_CHARS = 8;

/** Returns the suspect, or the reason why it is not adopted. */
export function adoptSuspect(answer: ModelSuspect, { shown }: StepDigest): ModelSuspect | string {
  const text = shown.get(answer.step);
  if (text === undefined) return `step ${answer.step} was not shown`;
  const evidence = plain(answer.evidence);
  const whole = plain(text);
  if (evidence.length < Math.min(EVIDENCE_LEAST_CHARS, whole.length))
    return 'the evidence is too short to prove anything';
  if (evidence === '' || !whole.includes(evidence))
    return `the evidence does not stand in step ${answer.step}`;
  return { ...answer, evidence: answer.evidence.trim() };
}

function plain(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
