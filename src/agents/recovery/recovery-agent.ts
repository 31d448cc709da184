/**
 * `askInTurns`: talks to a model until it answers in a closed form. `recover`: asks it about a failure that the rules cannot explain; it
 * may read, glob and grep in the workspace. On any failure (slow, silent, malformed, looping, invented evidence) the answer of the rules
 * is kept, with the reason.
 *
 *   asking -> tool results -> asking ... -> answered | kept (deadline, turns, tokens, refusal, bad answer twice)
 */
import { z } from 'zod';
import { adoptAnswer } from '../../core/diagnose/adopt-answer.ts';
import { printable } from '../../core/diagnose/lines/clean-line.ts';
import { type Line, readLines } from '../../core/diagnose/lines/read-lines.ts';
import type { Diagnosis, DiagnosisInput } from '../../core/vocabulary/diagnosis.ts';
import { ANSWER_JSON_SCHEMA, readAnswer } from './answer-schema.ts';
import {
  askModel,
  type ModelProvider,
  type ModelToolCall,
  type ToolSpec,
  type ModelMessage,
} from './model-call.ts';
import { fenced, newFence, question, SYSTEM } from './question.ts';
import { TOOLS, useTool } from './workspace-tools.ts';

export interface RecoveryLimits {
  readonly deadlineMs: number;
  readonly turns: number;
  readonly tokens: number;
}

/** A person waits for it: longer or dearer than this, the rules' answer is worth more. */
export const RECOVERY_LIMITS: RecoveryLimits = { deadlineMs: 60_000, turns: 8, tokens: 60_000 };

export type RecoveryAnswer = {
  readonly diagnosis: Diagnosis;
  readonly turns: number;
  readonly tokens: number;
} & ({ readonly type: 'answered' } | { readonly type: 'kept'; readonly reason: string });

const TOOL_RESULT_CHARS = 20_000;
/** One mistake may be corrected. */
export const BAD_ANSWERS = 2;

const END_WITH_ANSWER = 'End with exactly one call of `answer`.';

const SPECS: readonly ToolSpec[] = [
  ...TOOLS.map(({ name, description, schema }) => ({
    name,
    description,
    schema: z.toJSONSchema(schema) as Record<string, unknown>,
  })),
  { name: 'answer', description: 'The diagnosis; call it once, at the end.', schema: ANSWER_JSON_SCHEMA },
];

export async function recover(
  plain: Diagnosis,
  input: DiagnosisInput,
  workspace: string,
  provider: ModelProvider,
  limits: RecoveryLimits,
  stop: AbortSignal,
): Promise<RecoveryAnswer> {
  const fence = newFence();
  const lines = readLines(input.output);
  const { said, ...spent } = await askInTurns(provider, limits, stop, {
    system: `${SYSTEM}\n${END_WITH_ANSWER}`,
    text: question(plain, input, fence),
    tools: SPECS,
    answer: (value) => tryAnswer(value, plain, lines),
    use: (calls, signal) => toolResults(calls, workspace, fence, signal),
  });
  return typeof said === 'string'
    ? { type: 'kept', diagnosis: plain, reason: said, ...spent }
    : { type: 'answered', diagnosis: said, ...spent };
}

interface Conversation<T> {
  readonly system: string;
  readonly text: string;
  /** The one named `answer` ends it. */
  readonly tools: readonly ToolSpec[];
  /** What was answered, or why it is refused. */
  readonly answer: (value: unknown) => T | string;
  /** The results of the other tools. */
  readonly use?: (calls: readonly ModelToolCall[], signal: AbortSignal) => Promise<ToolResult[]>;
}

type ToolResult = Extract<ModelMessage, { role: 'tools' }>['results'][number];

/** Talks to a model until it answers in the closed form. `said` as text: why there is no answer. */
export async function askInTurns<T extends object>(
  provider: ModelProvider,
  limits: RecoveryLimits,
  stop: AbortSignal,
  { system, text, tools, answer, use }: Conversation<T>,
): Promise<{ readonly said: T | string; readonly turns: number; readonly tokens: number }> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.deadlineMs)]);
  const spent = { turns: 0, tokens: 0 };
  const messages: ModelMessage[] = [{ role: 'user', text }];
  let bad = 0;
  try {
    while (spent.turns < limits.turns) {
      const { calls, ...reply } = await askModel(provider, system, messages, tools, signal);
      spent.turns += 1;
      spent.tokens += reply.tokens;
      if (spent.tokens > limits.tokens) return { said: 'the token budget is used up', ...spent };
      messages.push({ role: 'model', text: reply.text, calls });
      const answered = calls.find(({ name }) => name === 'answer');
      if (answered === undefined && calls.length > 0 && use !== undefined) {
        messages.push({ role: 'tools', results: await use(calls, signal) });
        continue;
      }
      const said = answered === undefined ? 'it is not of the closed form' : answer(answered.input);
      if (typeof said !== 'string') return { said, ...spent };
      bad += 1;
      if (bad >= BAD_ANSWERS) return { said: `the answer was refused: ${said}`, ...spent };
      messages.push(
        calls.length === 0
          ? { role: 'user', text: 'Call the tool `answer`; nothing else is read.' }
          : { role: 'tools', results: calls.map(({ id }) => ({ id, text: `refused: ${said}` })) },
      );
    }
    return { said: `no answer within ${limits.turns} turns`, ...spent };
  } catch (error) {
    const late = signal.aborted ? `no answer within ${limits.deadlineMs} ms` : whyNoAnswer(error);
    return { said: stop.aborted ? 'stopped' : late, ...spent };
  }
}

function whyNoAnswer(error: unknown): string {
  return error instanceof z.ZodError || error instanceof SyntaxError
    ? 'the answer of the model is malformed'
    : `the model could not be asked: ${printable(String(error).replaceAll(/\s+/g, ' ')).slice(0, 200)}`;
}

/** The diagnosis with the answer in it, or why it is not taken over. */
export function tryAnswer(value: unknown, plain: Diagnosis, lines: readonly Line[]): Diagnosis | string {
  const answer = readAnswer(value);
  if ('mistake' in answer) return answer.mistake;
  const adoption = adoptAnswer(plain, answer, lines);
  return adoption.type === 'adopted' ? adoption.diagnosis : adoption.reason;
}

async function toolResults(
  calls: readonly ModelToolCall[],
  workspace: string,
  fence: string,
  signal: AbortSignal,
): Promise<ToolResult[]> {
  const results: ToolResult[] = [];
  for (const { id, name, input } of calls) {
    const text = (await useTool(workspace, name, input, signal)).slice(0, TOOL_RESULT_CHARS);
    results.push({ id, text: fenced(text, fence) });
  }
  return results;
}
