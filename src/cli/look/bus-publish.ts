/** `publish`: publishes one message from options, or JSON lines from standard input, each as it arrives (`mayday bus publish`). */
import type { Readable } from 'node:stream';
import { MaydayError, usageError } from '../../platform/mayday-error.ts';
import { streamLines } from '../../platform/file/stream-lines.ts';
import type { BusMessage } from '../../core/bus/bus-message.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { publishMessage } from '../../supervise/bus/publish-message.ts';
import { MAX_LINE_CHARS, readBusLine, readBusMessage } from '../../supervise/bus/read-bus-message.ts';
import type { Caller } from '../../use-cases/caller.ts';
import { stopRun } from '../../use-cases/stop-run.ts';
import type { Invocation } from '../command.ts';
import { printError } from '../print-error.ts';

const FIELDS = {
  type: 'type',
  task: 'task_id',
  agent: 'agent_id',
  status: 'status',
  error: 'error',
  result: 'result_status',
  reason: 'reason',
  'started-at': 'started_at',
  'completed-at': 'completed_at',
} as const;

const SCORES = {
  'checks-passed': 'checks_passed',
  'checks-total': 'checks_total',
  attempts: 'attempts',
  tokens: 'tokens',
  'cost-usd': 'cost_usd',
  'duration-ms': 'duration_ms',
} as const;

/** A run of Mayday is stopped by its keeper, in the order of every stop: work saved, then soft, TERM, KILL. */
async function stopSupervised(
  { stdout, json }: Invocation,
  caller: Caller,
  { task_id: runId, reason }: Extract<BusMessage, { type: 'STOP_AGENT' }>,
): Promise<number> {
  const { type } = await stopRun(caller, { runId, reason });
  stdout.write(
    json ? `${JSON.stringify({ run_id: runId, type })}\n` : `${type.replace('_', ' ')}: run ${runId}\n`,
  );
  return 0;
}

export async function publish(
  invocation: Invocation,
  caller: Caller,
  input: Readable = process.stdin,
): Promise<number> {
  const { env, stdout, stderr, json } = invocation;
  const { record } = caller;
  const redactor = createRedactor({ environment: env });
  const given = fromOptions(invocation);
  if (given !== null) {
    const message = readBusMessage(given);
    if (message.type === 'STOP_AGENT' && (await record.row(message.task_id)) !== null)
      return await stopSupervised(invocation, caller, message);
    const id = await publishMessage(record, redactor, message, Date.now());
    stdout.write(
      json ? `${JSON.stringify({ published: 1, refused: 0, last_id: id })}\n` : `published ${id}\n`,
    );
    return 0;
  }
  const count = { published: 0, refused: 0, last_id: 0 };
  let number = 0;
  for await (const line of streamLines(input, MAX_LINE_CHARS)) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      count.last_id = await publishMessage(record, redactor, readBusLine(line), Date.now());
      count.published += 1;
    } catch (error) {
      // One bad line does not end the stream: the next lines are still published.
      if (!(error instanceof MaydayError) || error.exitCode !== 2) throw error;
      stderr.write(`line ${number}: `);
      printError(error, stderr);
      count.refused += 1;
    }
  }
  if (count.published + count.refused === 0)
    throw usageError('NO_INPUT', 'there was nothing to publish', [
      ['do', 'mayday bus publish --task T --agent A --status RUNNING    or    JSON lines on standard input'],
    ]);
  stdout.write(
    json ? `${JSON.stringify(count)}\n` : `published ${count.published}, refused ${count.refused}\n`,
  );
  return count.refused > 0 ? 2 : 0;
}

/** Null: no option says anything about a message. */
function fromOptions({ options }: Invocation): Record<string, unknown> | null {
  const given = Object.entries(FIELDS).flatMap(([option, key]) =>
    options[option] === undefined ? [] : [[key, options[option]] as const],
  );
  const deadline = options['deadline-ms'];
  const scores = Object.entries(SCORES).flatMap(([option, key]) =>
    options[option] === undefined ? [] : [[key, Number(options[option])] as const],
  );
  if (given.length === 0 && deadline === undefined && scores.length === 0) return null;
  return {
    type: 'TASK_UPDATE',
    ...Object.fromEntries(given),
    ...(deadline === undefined ? {} : { deadline_ms: Number(deadline) }),
    ...(scores.length === 0 ? {} : { scoring: Object.fromEntries(scores) }),
  };
}
