/** `publish`: publishes one message from options, or JSON lines from standard input, each as it arrives (`mayday bus publish`). */
import type { Readable } from 'node:stream';
import { MaydayError, usageError } from '../../platform/mayday-error.ts';
import { streamLines } from '../../platform/file/stream-lines.ts';
import type { RunRecord } from '../../record/contract.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { publishMessage } from '../../supervise/bus/publish-message.ts';
import { MAX_LINE_CHARS, readBusLine, readBusMessage } from '../../supervise/bus/read-bus-message.ts';
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
} as const;

export async function publish(
  invocation: Invocation,
  record: RunRecord,
  input: Readable = process.stdin,
): Promise<number> {
  const { env, stdout, stderr, json } = invocation;
  const redactor = createRedactor({ environment: env });
  const given = fromOptions(invocation);
  if (given !== null) {
    const id = await publishMessage(record, redactor, readBusMessage(given), Date.now());
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
  if (given.length === 0 && deadline === undefined) return null;
  return {
    type: 'TASK_UPDATE',
    ...Object.fromEntries(given),
    ...(deadline === undefined ? {} : { deadline_ms: Number(deadline) }),
  };
}
