/**
 * `agentAsks`: reads from a transcript whether the agent ended with a question to a person: by a tool that asks (headless CLIs disable
 * it), or by its last words. It only reports; the core decides whether the work speaks for itself.
 */
import { callKind } from '../../core/detect/call-kind.ts';
import type { AgentQuestion } from '../../core/vocabulary/events/examination.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';
import { jsonOrNull } from '../../core/text/json.ts';

const MAX_TEXT_CHARS = 4_000;
const MAX_OPTIONS = 10;
const MAX_OPTION_CHARS = 300;
/** A question is the end of a message: only options may follow it. */
const MAX_AFTER_CHARS = 120;
const OPTION_LINE = /^\s*(?:[-*•]|\(?[a-z\d]{1,2}[.)])\s/i;
/** A word for the reader or for the agent itself: without one, a question mark may belong to anything. */
const TO_A_PERSON =
  /\b(i|me|you|your|we|which|what|how|where|when|who|whether|should|shall|may|can|could)\b/i;
const WANTS_A_WORD: readonly RegExp[] = [
  /\bplease (?:approve|confirm|grant|allow|provide|tell me|advise|clarify|choose|decide)\b/i,
  /\b(?:i|it|this) (?:need|needs|require|requires) (?:your |a )?(?:permission|approval|confirmation|input|decision|answer)\b/i,
  /\b(?:waiting|wait) for (?:your |an? )?(?:permission|approval|confirmation|input|decision|answer|reply|go-ahead)\b/i,
  /\b(?:could|can|would) you (?:please )?(?:grant|approve|allow|provide|confirm|clarify)\b/i,
];
const SAYS_DONE = /\b(?:done|complete|completed|finished|implemented|fixed|added|all set)\b/i;

/** `changed`: the attempt left work. An offer after finished work ("shall I add more?") is good manners. */
export function agentAsks(entries: readonly TranscriptEntry[], changed: boolean): AgentQuestion | null {
  const tool = askedByTool(entries);
  if (tool !== null) return tool;
  const text = lastWords(entries).trim().slice(-MAX_TEXT_CHARS);
  if (text === '' || (changed && SAYS_DONE.test(text))) return null;
  return endsWithQuestion(text) || WANTS_A_WORD.some((words) => words.test(text))
    ? { text, options: [] }
    : null;
}

function endsWithQuestion(text: string): boolean {
  const at = text.lastIndexOf('?');
  if (at < 0) return false;
  const [tail = '', ...lines] = text.slice(at + 1).split('\n');
  // A sentence after it on the same line answers it, or the mark belongs to an address or a quotation.
  if (tail.replaceAll(/["')\]*_`\s]/g, '') !== '') return false;
  const rest = lines.filter((line) => line.trim() !== '' && !OPTION_LINE.test(line)).join(' ');
  const sentence =
    text
      .slice(0, at)
      .split(/[.!?]\s|\n/)
      .at(-1) ?? '';
  return rest.length <= MAX_AFTER_CHARS && TO_A_PERSON.test(sentence);
}

function lastWords(entries: readonly TranscriptEntry[]): string {
  const spoken = entries.findLast(
    (entry) =>
      (entry.type === 'result' && entry.text !== '') || (entry.type === 'message' && entry.role === 'agent'),
  );
  if (spoken?.type === 'result' || spoken?.type === 'message') return spoken.text;
  const line = entries.findLast(
    (entry) => entry.type === 'output' && entry.stream === 'stdout' && entry.text.trim() !== '',
  );
  return line?.type === 'output' ? line.text : '';
}

/** The last call of a tool that asks, unless the agent went on to work after it. */
function askedByTool(entries: readonly TranscriptEntry[]): AgentQuestion | null {
  const at = entries.findLastIndex(
    (entry) => entry.type === 'tool_call' && callKind(entry.tool, entry.input) === 'ask',
  );
  const call = entries[at];
  if (call?.type !== 'tool_call') return null;
  const answered = entries.some(
    (entry) => entry.type === 'tool_result' && entry.id === call.id && !entry.isError,
  );
  const workedOn = entries.slice(at + 1).some((entry) => entry.type === 'tool_call');
  return answered || workedOn ? null : readQuestion(call.input);
}

function readQuestion(input: string): AgentQuestion {
  const whole = { text: input.slice(0, MAX_TEXT_CHARS), options: [] };
  const given = jsonOrNull(input);
  const fields = Object(given) as Record<string, unknown>;
  const questions = Array.isArray(fields['questions']) ? (fields['questions'] as unknown[]) : [given];
  const read = questions.map((one) => Object(one) as Record<string, unknown>);
  const texts = read.flatMap(({ question, plan }) =>
    [question, plan].filter((said) => typeof said === 'string'),
  );
  if (texts.length === 0) return whole;
  // The options of several questions cannot be offered as one choice.
  const options =
    read.length === 1 && Array.isArray(read[0]?.['options']) ? (read[0]['options'] as unknown[]) : [];
  const labels = options.map((one) =>
    typeof one === 'string' ? one : (Object(one) as Record<string, unknown>)['label'],
  );
  return {
    text: texts.join('\n').slice(0, MAX_TEXT_CHARS),
    options: labels
      .filter((label) => typeof label === 'string')
      .slice(0, MAX_OPTIONS)
      .map((label) => label.slice(0, MAX_OPTION_CHARS)),
  };
}
