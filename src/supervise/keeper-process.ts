/**
 * The program of a keeper: a process that survives the terminal, keeps one run and ends when nothing is left to do. Takes home and run;
 * where the run is not named, it comes by a line on stdin (see `callKeeper`).
 */
import { existsSync } from 'node:fs';
import { recordPath } from '../act/run-files.ts';
import { awaitLine } from '../platform/process/await-line.ts';
import { speakInto } from '../platform/process/spawn.ts';
import { printError } from '../platform/print-error.ts';
import { createRedactor } from '../record/redaction/redact.ts';
import { adoptRun } from './lease/adopt-run.ts';
import { ownOwner } from './lease/owner.ts';
import { busTender } from './bus/tend-bus.ts';
import { homeTender } from './home-tender.ts';
import { armFault, openRecord } from './open-record.ts';
import { keeperLog } from './start-keeper.ts';
import { sweepHomeIfDue } from './sweep-home.ts';

const [home = '', named = null] = process.argv.slice(2);
// The keeper goes on when the terminal is closed. Without a debugger SIGUSR1 would end it.
for (const name of ['SIGHUP', 'SIGUSR1'] as const) process.on(name, () => {});
// The stderr of a keeper is a file without a limit, so the lines go only to the keeper log, which has one.
delete process.env['MAYDAY_DEBUG'];
// A copy: the original asks the system for each variable, 0.1 ms in all for each git that gets them.
process.env = { ...process.env };
armFault(process.env, 'keeper');
const stop = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop.abort());

const early = named === null ? await openEarly().catch(() => null) : null;
const runId = named ?? givenRun();
try {
  await keep(early ?? (await open()));
} catch (error) {
  // The last words of the keeper: `KeeperGuard` tells them.
  if (!stop.signal.aborted) process.exit(printError(error, process.stderr));
}
// Pending work (a watch over an agent that another keeper has now) must not hold this process.
process.exit(0);

/**
 * What every run needs is loaded and opened before this keeper has its run. Null: there is no record yet. What cannot be opened is told
 * when it is opened for a run.
 */
async function openEarly(): Promise<Opened | null> {
  // The bundle loads them when they are first called.
  for (const part of [
    'node:child_process',
    'node:crypto',
    'node:fs/promises',
    'node:timers/promises',
  ] as const)
    process.getBuiltinModule(part);
  ownOwner();
  return existsSync(recordPath(home)) ? await open() : null;
}

type Opened = Awaited<ReturnType<typeof open>>;

async function open() {
  const { env } = process;
  const record = await openRecord(home, env);
  const redactor = createRedactor({ environment: env });
  return { record, redactor, tender: await homeTender({ home, record, env }) };
}

function givenRun(): string {
  const given = awaitLine();
  if (given !== null) speakInto(keeperLog(home, given));
  else {
    // The code that is kept at the exit would lack what only a keeper with a run runs.
    process.removeAllListeners('exit');
    process.exit(0);
  }
  return given;
}

async function keep({ record, redactor, tender: { policy, tend, finish } }: Opened): Promise<void> {
  try {
    await adoptRun({
      home,
      record,
      runId,
      env: process.env,
      redactor,
      signal: stop.signal,
      tend,
    });
    // The task of an external agent that this run took over ends with it.
    await busTender(record, policy)();
    // The run is safe. A home that cannot be swept today is swept tomorrow, and the log of the keeper says why.
    await sweepHomeIfDue(home, record, policy).catch((error: unknown) => console.error(error));
    await finish(stop.signal);
  } finally {
    await record.close();
  }
}
