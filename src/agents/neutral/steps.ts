/**
 * The neutral form: what any agent did, as a list of actions, observations, messages and errors. One step becomes one
 * transcript entry, so that a step number means the same on both sides.
 */
import { z } from 'zod';
import type { TranscriptEntry } from '../../core/transcript.ts';

const Step = z.looseObject({
  type: z.enum(['action', 'observation', 'message', 'error']),
  tool: z.string().nullish(),
  input: z.unknown().optional(),
  output: z.unknown().optional(),
  ts: z.union([z.string(), z.number()]).nullish(),
  role: z.string().nullish(),
  /** Who spoke, where several agents share one run. */
  agent: z.string().nullish(),
  /** Hash of the uncut text, where the text was cut: two cut texts are the same only if their hashes are. */
  h: z.string().nullish(),
});
type Step = z.infer<typeof Step>;

/** More calls at once than any agent makes. */
const OPEN_CALLS = 64;

interface Open {
  readonly id: string;
  readonly tool: string;
}

export function entriesOfSteps(steps: readonly unknown[]): readonly TranscriptEntry[] {
  return steps.map(createStepReader());
}

/** Has state: which calls wait for their answer. */
export function createStepReader(): (raw: unknown) => TranscriptEntry {
  let open: readonly Open[] = [];
  let at = 0;
  let index = 0;
  return (raw) => {
    const id = `${index++}`;
    const parsed = Step.safeParse(raw);
    if (!parsed.success) return { type: 'unknown', at, raw: text(raw) };
    const step = parsed.data;
    at = timeOf(step.ts) ?? at;
    switch (step.type) {
      case 'action': {
        const tool = step.tool ?? '';
        open = [...open, { id, tool }].slice(-OPEN_CALLS);
        return { type: 'tool_call', at, id, tool, input: textOf(step) };
      }
      case 'message': {
        // Whoever speaks again has its answers, or will not get them any more.
        if (step.role !== 'system') open = [];
        return { type: 'message', at, role: roleOf(step), text: textOf(step) };
      }
      case 'observation':
      case 'error': {
        const call = open.find((each) => each.tool === step.tool) ?? open[0];
        open = open.filter((each) => each !== call);
        const isError = step.type === 'error';
        if (call !== undefined)
          return { type: 'tool_result', at, id: call.id, output: textOf(step), isError };
        return isError
          ? { type: 'error', at, text: textOf(step), status: null }
          : { type: 'message', at, role: 'system', text: textOf(step) };
      }
    }
  };
}

function roleOf({ role }: Step): 'agent' | 'person' | 'system' {
  if (role === 'user' || role === 'person' || role === 'human') return 'person';
  return role === 'system' ? 'system' : 'agent';
}

function textOf(step: Step): string {
  const value = step.type === 'action' ? (step.input ?? step.output) : (step.output ?? step.input);
  const plain = text(value);
  return step.h ? `${plain}\n${step.h}` : plain;
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
