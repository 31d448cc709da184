/** `diagnoseJsonl`: reads one object per line and prints one diagnosis per line, in the same order, as the input arrives. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { diagnoseLines } from '../../core/diagnose/diagnose.ts';
import { readLines } from '../../core/diagnose/lines/read-lines.ts';
import type { Diagnosis } from '../../core/vocabulary/diagnosis.ts';
import { safeParse } from '../../platform/safe-parse.ts';
import { opinionOn } from './diagnose-opinion.ts';
import type { OpinionAtHand } from './opinion-provider.ts';

/** The longest input line; the caller must cut longer outputs. */
const LINE_CHARS = 64 * 1024 * 1024;

const UNASKED = 'with --jsonl nobody is asked without --opinion';

const Request = z.object({
  id: z.union([z.string(), z.number()]).nullish(),
  output: z.string(),
  exit_code: z.number().int().nullish(),
  signal: z.string().max(40).nullish(),
  command: z.string().nullish(),
  retry_count: z.number().int().nonnegative().nullish(),
  failure_type: z.string().max(100).nullish(),
  feature_id: z.string().max(1_000).nullish(),
  issue_number: z.number().int().nullish(),
});

export async function diagnoseJsonl(
  input: Readable,
  output: Writable,
  clock: { readonly nowMs: number; readonly timeZone: string },
  form: (diagnosis: Diagnosis) => object,
  hand: OpinionAtHand | null,
): Promise<void> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    if (!output.write(`${JSON.stringify(await answer(line, clock, form, hand))}\n`))
      await once(output, 'drain');
  }
}

async function answer(
  line: string,
  clock: { readonly nowMs: number; readonly timeZone: string },
  form: (diagnosis: Diagnosis) => object,
  hand: OpinionAtHand | null,
): Promise<Record<string, unknown>> {
  if (line.length > LINE_CHARS) return refusal(null, 'the line is longer than 64 MiB');
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return refusal(null, 'the line is not JSON');
  }
  const request = safeParse(Request, parsed);
  if (!request.success)
    return refusal(
      idOf(parsed),
      request.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
    );
  const { id, output, exit_code, signal, command, retry_count, failure_type, feature_id, issue_number } =
    request.data;
  const status = {
    exitCode: exit_code ?? null,
    signal: signal ?? null,
    command: command ?? null,
    retryCount: retry_count ?? 0,
    failureTypeHint: failure_type ?? null,
    featureId: feature_id ?? null,
    issueNumber: issue_number ?? null,
    ...clock,
  };
  const lines = readLines(output);
  const rules = diagnoseLines(lines, status);
  const weighed =
    hand === null
      ? { ...rules, noOpinion: UNASKED }
      : await opinionOn(rules, lines, status, () => Promise.resolve(hand));
  return { id: id ?? null, ...form(weighed) };
}

/** A bad line gets a result too, so that results stay in the order of the input. */
function refusal(id: unknown, why: string): Record<string, unknown> {
  return { id, error: { code: 'BAD_INPUT', message: why } };
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value
    ? ((value as { id?: unknown }).id ?? null)
    : null;
}
