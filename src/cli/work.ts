/** `mayday work`: keeps up to `--concurrency` runs on this host, in one process. */
import { usageError } from '../platform/mayday-error.ts';
import { createRedactor } from '../record/redact.ts';
import { work } from '../supervise/work.ts';
import type { Invocation } from './command.ts';
import { withRecord } from './with-record.ts';

/** Agents are heavy; the keeper itself is not. */
const DEFAULT_CONCURRENCY = 4;
const MAX_CONCURRENCY = 1_000;

export function run(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    const { env, options, stderr, stdout, json } = invocation;
    const concurrency = Number(options['concurrency'] ?? DEFAULT_CONCURRENCY);
    if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MAX_CONCURRENCY)
      throw usageError('WRONG_NUMBER', `--concurrency is a number from 1 to ${MAX_CONCURRENCY}`);
    const stop = new AbortController();
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort());
    const ended: { run_id: string; end: string }[] = [];
    await work({
      home,
      record,
      env,
      redactor: createRedactor({ environment: env }),
      concurrency,
      signal: stop.signal,
      untilIdle: options['until-idle'] === true,
      onEnd: (runId, end) => {
        ended.push({ run_id: runId, end });
        stderr.write(`${runId} ${end.replaceAll('_', ' ')}\n`);
      },
    });
    if (json) stdout.write(`${JSON.stringify({ runs: ended })}\n`);
    // Agents live on without us; whoever looks next adopts them.
    return 0;
  });
}
