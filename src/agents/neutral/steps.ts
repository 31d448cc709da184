/**
 * `entriesOfSteps`, `createStepReader`: read the neutral form: what any agent did, as a list of actions, observations, messages and
 * errors. Harnesses record the same act in different grain (call and answer apart or in one step, text before or after the call, the
 * answer as a user message), so a step may become two entries; `stepOf` leads back to the step.
 */
import { INTERRUPTED } from '../../core/detect/autopsy/run-end.ts';
import type { TranscriptEntry } from '../../core/vocabulary/transcript.ts';

const TYPES: readonly unknown[] = ['action', 'observation', 'message', 'error'];
const TEXTS = ['tool', 'role', 'agent', 'h'] as const;

interface Step {
  readonly type: 'action' | 'observation' | 'message' | 'error';
  readonly tool?: string | null;
  readonly input?: unknown;
  readonly output?: unknown;
  readonly ts?: string | number | null;
  readonly role?: string | null;
  /** The speaking agent, where several agents share one run. */
  readonly agent?: string | null;
  /** Hash of the uncut text, where the text was cut: two cut texts are the same only if their hashes are. */
  readonly h?: string | null;
}

function isStep(raw: unknown): raw is Step {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return false;
  const step = raw as Readonly<Record<string, unknown>>;
  const isText = (value: unknown) => value === undefined || value === null || typeof value === 'string';
  const isTime = isText(step['ts']) || Number.isFinite(step['ts']);
  return TYPES.includes(step['type']) && isTime && TEXTS.every((name) => isText(step[name]));
}

/** More calls at once than any agent makes. */
const OPEN_CALLS = 64;

interface Open {
  readonly id: string;
  readonly tool: string;
}

export interface StepEntries {
  readonly entries: readonly TranscriptEntry[];
  /** The step that an entry came from. */
  readonly stepOf: readonly number[];
}

export function entriesOfSteps(steps: readonly unknown[]): StepEntries {
  const read = createStepReader();
  const entries: TranscriptEntry[] = [];
  const stepOf: number[] = [];
  for (const [step, raw] of steps.entries()) {
    for (const entry of read(raw)) {
      entries.push(entry);
      stepOf.push(step);
    }
  }
  return { entries, stepOf };
}

/** Has state: which calls wait for their answer, and how this harness answers. */
export function createStepReader(): (raw: unknown) => readonly TranscriptEntry[] {
  let open: readonly Open[] = [];
  let at = 0;
  let index = 0;
  let spoken = false;
  let acted = false;
  let observes = false;
  return (raw) => {
    const id = `${index++}`;
    if (!isStep(raw)) return [{ type: 'unknown', at, raw: text(raw) }];
    const step = raw;
    at = timeOf(step.ts) ?? at;
    const justActed = acted;
    acted = step.type === 'action';
    switch (step.type) {
      case 'action': {
        const tool = step.tool ?? '';
        // An agent that acts again has all its answers, or will not get them any more.
        if (spoken) open = [];
        spoken = false;
        if (text(step.input) !== '' && text(step.output) !== '') {
          const output = hashed(step, step.output);
          return [
            { type: 'tool_call', at, id, tool, input: text(step.input) },
            { type: 'tool_result', at, id, output, isError: false },
          ];
        }
        open = [...open, { id, tool }].slice(-OPEN_CALLS);
        return [{ type: 'tool_call', at, id, tool, input: hashed(step, step.input ?? step.output) }];
      }
      case 'message': {
        const role = roleOf(step);
        const words = hashed(step, step.output ?? step.input);
        const call = open.at(-1);
        // A harness without observations sends answers as user messages.
        if (role === 'person' && call !== undefined && justActed && !observes && !INTERRUPTED.test(words)) {
          open = [];
          return [{ type: 'tool_result', at, id: call.id, output: words, isError: false }];
        }
        if (role === 'agent' && DEED.test(words)) return deed(words, id, at);
        if (role === 'person') open = [];
        else if (role === 'agent') spoken = true;
        return [{ type: 'message', at, role, text: words }];
      }
      case 'observation':
      case 'error': {
        observes = true;
        const call = open.find((each) => each.tool === step.tool) ?? open[0];
        open = open.filter((each) => each !== call);
        const isError = step.type === 'error';
        const output = hashed(step, step.output ?? step.input);
        if (call !== undefined) return [{ type: 'tool_result', at, id: call.id, output, isError }];
        return [
          isError
            ? { type: 'error', at, text: output, status: null }
            : { type: 'message', at, role: 'system', text: output },
        ];
      }
    }
  };
}

/** Agents that work in a browser tell afterwards, in words, what they did and what they saw. */
const DEED = /^I (?:typed|clicked|scrolled|searched|visited|opened|pressed|hovered)\b/;

function deed(words: string, id: string, at: number): readonly TranscriptEntry[] {
  const [did = ''] = words.split('\n', 1);
  return [
    { type: 'tool_call', at, id, tool: 'browser', input: did },
    {
      type: 'tool_result',
      at,
      id,
      output: words.slice(did.length).trim(),
      isError: false,
      marksErrors: true,
    },
  ];
}

function roleOf({ role }: Step): 'agent' | 'person' | 'system' {
  if (role === 'user' || role === 'person' || role === 'human') return 'person';
  return role === 'system' ? 'system' : 'agent';
}

function hashed({ h }: Step, value: unknown): string {
  return h ? `${text(value)}\n${h}` : text(value);
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function timeOf(ts: string | number | null | undefined): number | null {
  if (ts === null || ts === undefined) return null;
  const ms = typeof ts === 'number' ? ts : Date.parse(ts);
  return Number.isFinite(ms) ? ms : null;
}
