/**
 * `recover`: asks a model about a failure that the rules cannot explain. It may read, glob and grep in the workspace, and must end with
 * one `answer` of the closed form. On any failure (slow, silent, malformed, looping, invented evidence) the answer of the rules is kept,
 * with the reason.
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
  const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.deadlineMs)]);
  const spent = { turns: 0, tokens: 0 };
  const kept = (reason: string): RecoveryAnswer => ({ type: 'kept', diagnosis: plain, reason, ...spent });
  const fence = newFence();
  const lines = readLines(input.output);
  const turns: ModelMessage[] = [{ role: 'user', text: question(plain, input, fence) }];
  let bad = 0;
  try {
    while (spent.turns < limits.turns) {
      const said = await askModel(provider, `${SYSTEM}\n${END_WITH_ANSWER}`, turns, SPECS, signal);
      spent.turns += 1;
      spent.tokens += said.tokens;
      if (spent.tokens > limits.tokens) return kept('the token budget of the recovery agent is used up');
      const answered = said.calls.find((call) => call.name === 'answer');
      turns.push({ role: 'model', text: said.text, calls: said.calls });
      if (answered !== undefined) {
        const mistake = tryAnswer(answered.input, plain, lines);
        if (typeof mistake !== 'string') return { type: 'answered', diagnosis: mistake, ...spent };
        bad += 1;
        if (bad >= BAD_ANSWERS) return kept(`the answer was refused: ${mistake}`);
        turns.push({
          role: 'tools',
          results: said.calls.map(({ id }) => ({ id, text: `refused: ${mistake}` })),
        });
      } else if (said.calls.length === 0) {
        bad += 1;
        if (bad >= BAD_ANSWERS) return kept('the model answered without the closed form');
        turns.push({
          role: 'user',
          text: 'Call the tool `answer` with the diagnosis; nothing else is read.',
        });
      } else turns.push({ role: 'tools', results: await toolResults(said.calls, workspace, fence, signal) });
    }
    return kept(`no answer within ${limits.turns} turns`);
  } catch (error) {
    if (stop.aborted) return kept('stopped');
    return kept(signal.aborted ? `no answer within ${limits.deadlineMs} ms` : whyNoAnswer(error));
  }
}

export function whyNoAnswer(error: unknown): string {
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
): Promise<{ id: string; text: string }[]> {
  const results: { id: string; text: string }[] = [];
  for (const { id, name, input } of calls) {
    const text = (await useTool(workspace, name, input, signal)).slice(0, TOOL_RESULT_CHARS);
    results.push({ id, text: fenced(text, fence) });
  }
  return results;
}
