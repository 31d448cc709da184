/** `diagnoseJsonl`: reads one object per line and prints one diagnosis per line, in the same order, as the input arrives. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { z } from 'zod';
import { diagnose } from '../../core/diagnose/diagnose.ts';
import { diagnosisJson } from '../../core/diagnose/diagnosis-json.ts';
import { safeParse } from '../../platform/safe-parse.ts';

/** The longest input line; the caller must cut longer outputs. */
const LINE_CHARS = 64 * 1024 * 1024;

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
): Promise<void> {
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    if (!output.write(`${JSON.stringify(answer(line, clock))}\n`)) await once(output, 'drain');
  }
}

function answer(
  line: string,
  clock: { readonly nowMs: number; readonly timeZone: string },
): Record<string, unknown> {
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
  const diagnosis = diagnose({
    output,
    exitCode: exit_code ?? null,
    signal: signal ?? null,
    command: command ?? null,
    retryCount: retry_count ?? 0,
    failureTypeHint: failure_type ?? null,
    featureId: feature_id ?? null,
    issueNumber: issue_number ?? null,
    ...clock,
  });
  return { id: id ?? null, ...diagnosisJson(diagnosis) };
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
