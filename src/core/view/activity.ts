/** `Activity`, `activityNext`, `tellingArgument`: what an agent is doing now, folded from its transcript. */
import { type CallKind, callKind, isShellCall } from '../detect/call-kind.ts';
import { countTests } from '../gates/test-counts.ts';
import { counted } from '../text/counted.ts';
import { objectOrNull } from '../text/json.ts';
import type { TestCounts } from '../vocabulary/work.ts';
import type { TranscriptEntry } from '../vocabulary/transcript.ts';

export interface Call {
  readonly id: string;
  readonly words: string;
  readonly at: number;
}

export interface Activity {
  /** Calls without a result, oldest first. */
  readonly calls: readonly Call[];
  /** What the agent said last; of a plain program, the last line that it printed. */
  readonly said: string;
  /** What was done last, in words (`edited src/a.ts`), or the last sentence, whichever came later. */
  readonly did: string;
  /** What the last tests said, e.g. `2 of 3 tests passed`; empty: none ran, or they count nothing. */
  readonly tested: string;
  /** When the agent was last heard of; 0 if never. What Mayday itself saw is no word of the agent. */
  readonly heardAt: number;
}

export const NO_ACTIVITY: Activity = { calls: [], said: '', did: '', tested: '', heardAt: 0 };

/** An agent that loses its results must not make the list grow. */
const MAX_CALLS = 8;

export function activityNext(activity: Activity, entry: TranscriptEntry): Activity {
  if (entry.type === 'progress') return activity;
  const next = { ...activity, ...changeBy(activity, entry), heardAt: entry.at };
  if (entry.type === 'tool_call') return { ...next, did: pastWords(entry.tool, entry.input) };
  return next.said === activity.said ? next : { ...next, did: next.said };
}

function changeBy(activity: Activity, entry: TranscriptEntry): Partial<Activity> {
  switch (entry.type) {
    case 'tool_call': {
      const { id, tool, input, at } = entry;
      // `Bash npm test` instead of the arguments as JSON.
      const call = { id, words: `${tool} ${tellingArgument(input)}`.trim(), at };
      return { calls: [...activity.calls, call].slice(-MAX_CALLS) };
    }
    case 'tool_result': {
      const calls = activity.calls.filter(({ id }) => id !== entry.id);
      const tests = countTests(entry.output);
      return tests === null ? { calls } : { calls, tested: testWords(tests) };
    }
    case 'message':
      return entry.role === 'agent' ? { said: lastSentence(entry.text) || activity.said } : {};
    case 'output':
      return { said: entry.text.trim() || activity.said };
    case 'error':
      return { said: lastSentence(entry.text) || activity.said };
    // The agent is at its end: no result comes any more.
    case 'result':
      return { calls: [], said: lastSentence(entry.text) || activity.said };
    default:
      return {};
  }
}

const VERBS: Readonly<Partial<Record<CallKind, string>>> = {
  read: 'read',
  search: 'searched',
  edit: 'edited',
  run: 'ran',
  wait: 'waited:',
  delegate: 'asked a subagent:',
};

/** `edited src/a.ts`, `ran npm test`; a command line says itself what it reads or changes. A tool that is for nothing known is named. */
function pastWords(tool: string, input: string): string {
  const told = tellingArgument(input);
  const verb = isShellCall(tool, input)
    ? isCommand(input)
      ? 'ran'
      : undefined
    : VERBS[callKind(tool, input)];
  return verb === undefined || told === '' ? `used ${tool} ${told}`.trim() : `${verb} ${told}`;
}

function testWords({ total, failed }: TestCounts): string {
  return failed === 0
    ? `${counted(total, 'test')} passed`
    : `${total - failed} of ${counted(total, 'test')} passed`;
}

/** A tool that nothing is known of may take anything. */
function isCommand(input: string): boolean {
  const values = objectOrNull(input);
  return values === null || COMMANDS.some((key) => key in values);
}

const COMMANDS = ['command', 'cmd', 'script'];
/** The argument that tells most, the first of these; an agent may name it differently. */
const TELLING = ['command', 'cmd', 'file_path', 'filePath', 'path', 'pattern', 'query', 'url', 'description'];

/** `npm test` of `{"command":"npm test","timeout":60}`; what is no JSON stays as it is. */
export function tellingArgument(input: string): string {
  const values = objectOrNull(input);
  if (values === null) return input;
  const told = [...TELLING.map((key) => values[key]), ...Object.values(values)];
  return told.find((value): value is string => typeof value === 'string' && value !== '') ?? '';
}

function lastSentence(text: string): string {
  return (
    text
      .trim()
      .split(/(?<=[.!?:])\s+|\n+/)
      .at(-1) ?? ''
  );
}
