/** `mayday work`: keeps up to `--concurrency` runs on this host, in one process. */
import { setTimeout as pause } from 'node:timers/promises';
import { RecordUnavailable } from '../../record/contract/record-unavailable.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { homeTender } from '../../supervise/home-tender.ts';
import { work } from '../../supervise/work.ts';
import type { Invocation } from '../command.ts';
import { labelsOf, wholeNumberOf } from '../option-values.ts';
import { printError } from '../../platform/print-error.ts';
import { withRecord } from '../with-record.ts';
import { textOut, writeText } from '../write-text.ts';

/** Agents are heavy; the keeper itself is not. */
const DEFAULT_CONCURRENCY = 4;
const COUNT = { max: 1_000 };
const RETRY_MS = 2_000;

/** A host that starts before its store answers waits for it. */
export async function run(invocation: Invocation): Promise<number> {
  for (let told = false; ; told = true) {
    try {
      return await workOnce(invocation);
    } catch (error) {
      if (!(error instanceof RecordUnavailable)) throw error;
      if (!told) writeText(invocation.stderr, `mayday: ${error.message} Trying again until it answers.\n`);
    }
    await pause(RETRY_MS);
  }
}

function workOnce(invocation: Invocation): Promise<number> {
  return withRecord(invocation, async ({ home, record }) => {
    const { env, options, stderr, stdout, json } = invocation;
    const concurrency =
      wholeNumberOf(invocation, 'concurrency', { ...COUNT, like: DEFAULT_CONCURRENCY }) ??
      DEFAULT_CONCURRENCY;
    const host = {
      labels: labelsOf(invocation),
      perAccount: wholeNumberOf(invocation, 'per-account', COUNT) ?? null,
      perRepository: wholeNumberOf(invocation, 'per-repository', COUNT) ?? null,
    };
    const stop = new AbortController();
    let exitCode = 0;
    for (const [name, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 0],
    ] as const)
      process.once(name, () => {
        exitCode = code;
        stop.abort();
      });
    const untilIdle = options['until-idle'] === true;
    const until = untilIdle ? 'until none is left' : 'until Ctrl-C, which leaves their agents at work';
    writeText(stderr, `mayday work: keeps up to ${concurrency} runs of this host, ${until}\n`);
    const { tend, finish } = await homeTender({ home, record, env });
    const ended: { run_id: string; end: string }[] = [];
    await work({
      home,
      record,
      env,
      redactor: createRedactor({ environment: env }),
      concurrency,
      host,
      signal: stop.signal,
      untilIdle,
      tend,
      onFailure: (runId, error) => {
        stderr.write(`run ${runId}: `);
        printError(error, textOut(stderr));
      },
      onEnd: (runId, end) => {
        ended.push({ run_id: runId, end });
        writeText(stderr, `run ${runId}: ${end.replaceAll('_', ' ')}\n`);
      },
    });
    await finish(stop.signal);
    if (json) stdout.write(`${JSON.stringify({ runs: ended })}\n`);
    if (untilIdle && ended.length === 0) writeText(stderr, 'mayday work: nothing was queued\n');
    // Agents keep running; the next Mayday process adopts their runs.
    if (stop.signal.aborted) process.exit(exitCode);
    return 0;
  });
}
