/** `readBusMessage`, `readBusLine`: check what an external agent says on the bus. No message clears an agent: only a person does that. */
import { z } from 'zod';
import { DEFAULT_POLICY } from '../../core/vocabulary/policy.ts';
import type { BusMessage } from '../../core/bus/bus-message.ts';
import { type MaydayError, usageError } from '../../platform/mayday-error.ts';
import { safeParse } from '../../platform/safe-parse.ts';

/** A message tells about work and does not contain the work: a longer line comes from the wrong pipe. */
export const MAX_LINE_CHARS = 64 * 1024;
const MAX_ID_CHARS = 200;
const MAX_TEXT_CHARS = 10_000;
/** One day: no agent needs longer to stop. */
const MAX_DEADLINE_MS = 86_400_000;

const Id = z
  .string()
  .min(1)
  .max(MAX_ID_CHARS)
  .regex(/^[^\p{Cc}\p{Cf}\p{Cs}]+$/u, 'no control characters');
const Text = z
  .string()
  .max(MAX_TEXT_CHARS)
  .refine((text) => text.isWellFormed(), 'broken Unicode');
const Line = Text.refine((text) => text.trim() !== '' && !text.includes('\0'), 'not a command');
/** Checks or agents that one task can name. */
const MAX_NAMED = 20;
const Count = z.number().nonnegative().max(1e15).nullish().transform(orNull);
/** A time as ISO 8601 or as milliseconds since 1970. */
const Time = z
  .union([z.iso.datetime({ offset: true }), z.number().int().min(0).max(8.64e15)])
  .nullish()
  .transform((at) => (at === null || at === undefined ? null : new Date(at).toISOString()));

const Message = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('TASK_UPDATE'),
    task_id: Id,
    agent_id: Id,
    status: z.enum(['PENDING', 'RUNNING', 'COMPLETED', 'FAILED']),
    error: Text.nullish().transform(orNull),
    started_at: Time,
    completed_at: Time,
    result_status: z.enum(['SUCCESS', 'FAILURE', 'VALIDATION_ERROR']).nullish().transform(orNull),
    scoring: z
      .strictObject({
        checks_passed: Count,
        checks_total: Count,
        attempts: Count,
        tokens: Count,
        cost_usd: Count,
        duration_ms: Count,
      })
      .nullish()
      .transform(orNull),
    command: Line.optional(),
    checks: z.array(Line).max(MAX_NAMED).optional(),
    fallback: z.array(Id).max(MAX_NAMED).optional(),
  }),
  z.strictObject({
    type: z.literal('STOP_AGENT'),
    agent_id: Id,
    task_id: Id,
    reason: Text.min(1),
    deadline_ms: z.number().int().min(0).max(MAX_DEADLINE_MS).default(DEFAULT_POLICY.bus_stop_grace_ms),
  }),
  z.strictObject({ type: z.literal('AGENT_FLAGGED'), agent_id: Id, reason: Text.min(1) }),
  z.strictObject({ type: z.literal('CRITICAL'), agent_id: Id, task_id: Id, reason: Text.min(1) }),
]);

export function readBusMessage(value: unknown): BusMessage {
  const parsed = safeParse(Message, value);
  if (parsed.success) {
    const { data } = parsed;
    // A failure without an error can be neither explained nor answered.
    if (data.type === 'TASK_UPDATE' && data.status === 'FAILED' && (data.error ?? '').trim() === '')
      throw wrongMessage('error: FAILED needs an error that says what failed');
    return data;
  }
  const issue = parsed.error.issues[0];
  const where = [...(issue?.path ?? []), ...(issue?.code === 'unrecognized_keys' ? issue.keys : [])].join(
    '.',
  );
  throw wrongMessage(`${where === '' ? 'message' : where}: ${issue?.message ?? 'wrong'}`);
}

export function readBusLine(line: string): BusMessage {
  if (line.length > MAX_LINE_CHARS)
    throw wrongMessage(`the line is longer than ${MAX_LINE_CHARS} characters`);
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw wrongMessage('not a line of JSON');
  }
  return readBusMessage(value);
}

function wrongMessage(what: string): MaydayError {
  return usageError('WRONG_MESSAGE', `no message for the bus: ${what}`, [
    ['do', 'docs/explanation/bus.md shows the four messages; mayday bus publish --help the options'],
  ]);
}

function orNull<T>(value: T | null | undefined): T | null {
  return value ?? null;
}
