/** `publish`: publishes one message from options, or JSON lines from standard input, each as it arrives (`mayday bus publish`). */
import { MaydayError, usageError } from '../../platform/mayday-error.ts';
import { streamLines } from '../../platform/file/stream-lines.ts';
import type { BusMessage } from '../../core/bus/bus-message.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { publishMessage } from '../../supervise/bus/publish-message.ts';
import { assertPerson } from '../../supervise/mail/assert-person.ts';
import { MAX_LINE_CHARS, readBusLine, readBusMessage } from '../../supervise/bus/read-bus-message.ts';
import type { Caller } from '../../use-cases/caller.ts';
import { stopRun } from '../../use-cases/steer/stop-run.ts';
import { takeOverTask } from '../../use-cases/start/take-over-task.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { listOf } from '../option-values.ts';
import { printError } from '../../platform/print-error.ts';
import { textOut, writeText } from '../write-text.ts';

// biome-ignore format: words stand together
const FIELDS = {
  type: 'type', task: 'task_id', agent: 'agent_id', status: 'status', error: 'error',
  result: 'result_status', reason: 'reason', 'started-at': 'started_at', 'completed-at': 'completed_at',
  command: 'command',
} as const;

const LISTS = { check: 'checks', fallback: 'fallback' } as const;

const SCORES = {
  'checks-passed': 'checks_passed',
  'checks-total': 'checks_total',
  attempts: 'attempts',
  tokens: 'tokens',
  'cost-usd': 'cost_usd',
  'duration-ms': 'duration_ms',
} as const;

export async function publish(invocation: Invocation, caller: Caller): Promise<number> {
  const { stderr } = invocation;
  const given = fromOptions(invocation);
  if (given !== null) {
    const { id, runId } = await say(invocation, caller, readBusMessage(given));
    const count = { published: id === null ? 0 : 1, refused: 0, last_id: id ?? 0 };
    return print(invocation, runId === null ? count : { ...count, run_id: runId }, told(id, runId));
  }
  const count = { published: 0, refused: 0, last_id: 0 };
  let number = 0;
  for await (const line of streamLines(process.stdin, MAX_LINE_CHARS)) {
    number += 1;
    if (line.trim() === '') continue;
    try {
      const { id, runId } = await say(invocation, caller, readBusLine(line));
      if (runId !== null) writeText(stderr, `line ${number}: ${told(id, runId)}`);
      count.last_id = id ?? count.last_id;
      count.published += id === null ? 0 : 1;
    } catch (error) {
      // One bad line does not end the stream: the next lines are still published.
      if (!(error instanceof MaydayError) || error.exitCode !== 2) throw error;
      stderr.write(`line ${number}: `);
      printError(error, textOut(stderr));
      count.refused += 1;
    }
  }
  if (number === 0)
    throw usageError('NO_INPUT', 'there was nothing to publish', [
      ['do', 'mayday bus publish --task T --agent A --status RUNNING    or    JSON lines on standard input'],
    ]);
  print(invocation, count, `published ${count.published}, refused ${count.refused}\n`);
  return count.refused > 0 ? 2 : 0;
}

interface Said {
  /** Null: the run says it itself. */
  readonly id: number | null;
  /** The run that was stopped, or that does the failed task again. */
  readonly runId: string | null;
}

function told(id: number | null, runId: string | null): string {
  if (runId === null) return `published ${id}\n`;
  return id === null
    ? `stopping: run ${runId}\n`
    : `published ${id}; run ${runId} does it again: mayday watch ${runId}\n`;
}

async function say({ env, cwd }: Invocation, caller: Caller, message: BusMessage): Promise<Said> {
  const { home, record, by } = caller;
  if (message.type === 'STOP_AGENT') {
    const { agent_id: agentId, task_id: taskId, reason, deadline_ms: withinMs } = message;
    const runId =
      (await record.row(taskId)) === null ? (await record.busTask(agentId, taskId))?.runId : taskId;
    // A run of Mayday is stopped by its keeper, in the order of every stop: work saved, then soft, TERM, KILL.
    if (runId) {
      await stopRun(caller, { runId, reason, withinMs });
      return { id: null, runId };
    }
  }
  const isUpdate = message.type === 'TASK_UPDATE';
  if (isUpdate && message.command !== undefined) await assertPerson(caller, 'a command that Mayday may run');
  const id = await publishMessage(record, createRedactor({ environment: env }), message, Date.now());
  if (!isUpdate || message.status !== 'FAILED') return { id, runId: null };
  const failed = { agentId: message.agent_id, taskId: message.task_id, cwd };
  return { id, runId: await takeOverTask(caller, { home, env, by }, failed) };
}

/** Null: no option says anything about a message. */
function fromOptions(invocation: Invocation): Record<string, unknown> | null {
  const { options } = invocation;
  const given = Object.entries(FIELDS).flatMap(([option, key]) =>
    options[option] === undefined ? [] : [[key, options[option]] as const],
  );
  const deadline = options['deadline-ms'];
  const lists = Object.entries(LISTS).flatMap(([option, key]) => {
    const values = listOf(invocation, option);
    return values.length === 0 ? [] : [[key, values] as const];
  });
  const scores = Object.entries(SCORES).flatMap(([option, key]) =>
    options[option] === undefined ? [] : [[key, Number(options[option])] as const],
  );
  if (given.length === 0 && deadline === undefined && scores.length === 0) return null;
  return {
    type: 'TASK_UPDATE',
    ...Object.fromEntries([...given, ...lists]),
    ...(deadline === undefined ? {} : { deadline_ms: Number(deadline) }),
    ...(scores.length === 0 ? {} : { scoring: Object.fromEntries(scores) }),
  };
}
