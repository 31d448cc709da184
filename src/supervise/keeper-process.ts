/** The keeper as a process of its own: survives the terminal, keeps one run, ends when nothing is left to do. Arguments: home, run. */
import { createRedactor } from '../record/redaction/redact.ts';
import { adoptRun } from './lease/adopt-run.ts';
import { busTender } from './bus/tend-bus.ts';
import { homePolicyOrDefault } from './request/home-policy.ts';
import { armFault, openRecord } from './open-record.ts';
import { sweepHomeIfDue } from './sweep-home.ts';

const [home = '', runId = ''] = process.argv.slice(2);
// The terminal's hang-up is not the run's business.
process.on('SIGHUP', () => {});
// Its stderr is an unbounded file; the keeper log is bounded.
delete process.env['MAYDAY_DEBUG'];
armFault(process.env, 'keeper');
const stop = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop.abort());
const record = await openRecord(home, process.env);
try {
  await adoptRun({
    home,
    record,
    runId,
    env: process.env,
    redactor: createRedactor({ environment: process.env }),
    signal: stop.signal,
    tend: busTender(home, record),
  });
  // The run is safe; a house that cannot be swept today is swept tomorrow, and its log says why.
  await sweepHomeIfDue(home, record, homePolicyOrDefault(home)).catch((error: unknown) =>
    console.error(error),
  );
} catch (error) {
  if (!stop.signal.aborted) throw error;
} finally {
  await record.close();
}
// Whatever may still be pending (a watch over an agent that now belongs to another keeper) is no longer ours.
process.exit(0);
