/** The program of a keeper: a process that survives the terminal, keeps one run and ends when nothing is left to do. */
import { printError } from '../platform/print-error.ts';
import { createRedactor } from '../record/redaction/redact.ts';
import { adoptRun } from './lease/adopt-run.ts';
import { busTender } from './bus/tend-bus.ts';
import { homeTender } from './home-tender.ts';
import { armFault, openRecord } from './open-record.ts';
import { sweepHomeIfDue } from './sweep-home.ts';

const [home = '', runId = ''] = process.argv.slice(2);
// The keeper goes on when the terminal is closed. Without a debugger SIGUSR1 would end it.
for (const name of ['SIGHUP', 'SIGUSR1'] as const) process.on(name, () => {});
// The stderr of a keeper is a file without a limit, so the lines go only to the keeper log, which has one.
delete process.env['MAYDAY_DEBUG'];
armFault(process.env, 'keeper');
const stop = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop.abort());

try {
  await keep();
} catch (error) {
  // The last words of the keeper: `KeeperGuard` tells them.
  if (!stop.signal.aborted) process.exit(printError(error, process.stderr));
}
// Pending work (a watch over an agent that another keeper has now) must not hold this process.
process.exit(0);

async function keep(): Promise<void> {
  const { env } = process;
  const record = await openRecord(home, env);
  try {
    const { policy, tend, finish } = await homeTender({ home, record, env });
    const redactor = createRedactor({ environment: env });
    await adoptRun({ home, record, runId, env, redactor, signal: stop.signal, tend });
    // The task of an external agent that this run took over ends with it.
    await busTender(record, policy)();
    // The run is safe. A home that cannot be swept today is swept tomorrow, and the log of the keeper says why.
    await sweepHomeIfDue(home, record, policy).catch((error: unknown) => console.error(error));
    await finish(stop.signal);
  } finally {
    await record.close();
  }
}
