/**
 * `recoverWithCli`: the recovery agent as an agent CLI of this machine in read-only mode, for people with a login and no key. Its answer
 * passes the same checks as a model's over HTTP. A refused answer is asked for once more, in a new session, with the reason.
 *
 *   asking -> answered | kept (not started, deadline, turns, budget, more tools than allowed, no or a bad answer twice)
 */
import { z } from 'zod';
import { printable } from '../../core/diagnose/lines/clean-line.ts';
import { readLines } from '../../core/diagnose/lines/read-lines.ts';
import type { Diagnosis, DiagnosisInput } from '../../core/vocabulary/diagnosis.ts';
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { runCommand } from '../../platform/process/run-command.ts';
import { findCommand } from '../../platform/container/startable.ts';
import type { Environment } from '../adapter.ts';
import { objectOrNull } from '../../core/text/json.ts';
import { newFence, question } from './question.ts';
import { offersMore, readOnlyArguments, readOnlyEnvironment } from './read-only-claude.ts';
import { BAD_ANSWERS, type RecoveryAnswer, type RecoveryLimits, tryAnswer } from './recovery-agent.ts';
import { safeParse } from '../../platform/safe-parse.ts';

export interface RecoveryCli {
  /** The program and what comes before its options: `["claude"]`. */
  readonly command: readonly string[];
  readonly model: string | null;
  readonly env: Environment;
  /** It only reads, and still has no business in Mayday's own folder. */
  readonly hidden?: HiddenHome | undefined;
}

/** A dozen files read in full; the start (which tools) and the end (the result) always stay. */
const OUTPUT_BYTES = 1_000_000;
const REASON_CHARS = 200;
/** What is read again from the provider's cache costs a tenth. */
const CACHE_SHARE = 0.1;

const Init = z.object({ type: z.literal('system'), subtype: z.literal('init'), tools: z.array(z.string()) });
const Count = z.number().nonnegative().default(0);
const Result = z.object({
  type: z.literal('result'),
  subtype: z.string().default(''),
  is_error: z.boolean(),
  result: z.string().optional(),
  structured_output: z.unknown().optional(),
  num_turns: Count,
  usage: z
    .object({
      input_tokens: Count,
      output_tokens: Count,
      cache_creation_input_tokens: Count,
      cache_read_input_tokens: Count,
    })
    .optional(),
});

export async function recoverWithCli(
  plain: Diagnosis,
  input: DiagnosisInput,
  workspace: string,
  cli: RecoveryCli,
  limits: RecoveryLimits,
  stop: AbortSignal,
): Promise<RecoveryAnswer> {
  const begun = performance.now();
  const spent = { turns: 0, tokens: 0 };
  const kept = (reason: string): RecoveryAnswer => ({ type: 'kept', diagnosis: plain, reason, ...spent });
  const env = readOnlyEnvironment(cli.env);
  if (findCommand(cli.command[0] ?? '', workspace, env['PATH'] ?? '') !== 'found')
    return kept(`the command ${JSON.stringify(cli.command[0] ?? '')} was not found`);
  const asked = question(plain, input, newFence());
  const lines = readLines(input.output);
  let mistake = '';
  try {
    for (let bad = 0; bad < BAD_ANSWERS; bad += 1) {
      const said = await runCommand({
        argv: [...cli.command, ...readOnlyArguments(cli.model, limits.turns - spent.turns)],
        cwd: workspace,
        env,
        timeoutMs: Math.max(1, limits.deadlineMs - (performance.now() - begun)),
        outputLimitBytes: OUTPUT_BYTES,
        input: mistake === '' ? asked : `${asked}\n\nAn earlier answer was refused: ${mistake}`,
        signal: stop,
        hidden: cli.hidden,
      });
      if (said.timedOut) return kept(`no answer within ${limits.deadlineMs} ms`);
      const { tools, result } = readStream(said.output);
      const more = offersMore(tools);
      if (more.length > 0)
        return kept(`the agent CLI did not keep to read-only: it offered ${more.slice(0, 3).join(', ')}`);
      if (result === null)
        return kept(
          `the agent CLI ended without a result (exit code ${said.exitCode ?? 'none'}): ${oneLine(said.output)}`,
        );
      spent.turns += result.num_turns;
      spent.tokens += tokensOf(result);
      if (result.subtype === 'error_max_turns') return kept(`no answer within ${limits.turns} turns`);
      if (result.subtype === 'error_max_budget_usd' || spent.tokens > limits.tokens)
        return kept('the token budget of the recovery agent is used up');
      if (result.is_error)
        return kept(`the agent CLI failed: ${oneLine(result.result ?? '') || result.subtype}`);
      const answer = tryAnswer(result.structured_output ?? null, plain, lines);
      if (typeof answer !== 'string') return { type: 'answered', diagnosis: answer, ...spent };
      mistake =
        result.structured_output === undefined
          ? 'the agent CLI answered without the closed form'
          : `the answer was refused: ${answer}`;
      if (spent.turns >= limits.turns) break;
    }
    return kept(mistake);
  } catch (error) {
    if (stop.aborted) return kept('stopped');
    return kept(`the agent CLI could not be asked: ${oneLine(String(error))}`);
  }
}

/** Lines that are not of the stream (warnings on stderr, a line cut at the bound) say nothing. */
function readStream(output: string): {
  readonly tools: readonly string[];
  readonly result: z.infer<typeof Result> | null;
} {
  let tools: readonly string[] = [];
  let result: z.infer<typeof Result> | null = null;
  for (const line of output.split('\n')) {
    const value = objectOrNull(line);
    if (value?.['type'] === 'system') tools = safeParse(Init, value).data?.tools ?? tools;
    else if (value?.['type'] === 'result') result = safeParse(Result, value).data ?? result;
  }
  return { tools, result };
}

function tokensOf({ usage }: z.infer<typeof Result>): number {
  if (usage === undefined) return 0;
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage;
  return Math.round(
    input_tokens + output_tokens + cache_creation_input_tokens + cache_read_input_tokens * CACHE_SHARE,
  );
}

function oneLine(text: string): string {
  return printable(text.trim().split('\n').at(-1) ?? '').slice(0, REASON_CHARS);
}
