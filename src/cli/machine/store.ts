/** `mayday store`: `copy` brings the record of this machine into the store of MAYDAY_STORE; `migrate` updates its tables. */
import { recordPath } from '../../act/run-files.ts';
import { existsSync } from 'node:fs';
import { counted } from '../../core/text/counted.ts';
import { MaydayError, usageError } from '../../platform/mayday-error.ts';
import { maydayHome } from '../../supervise/home.ts';
import { copyIntoStore, migrateStore } from '../../supervise/open-record.ts';
import { assertPersonHere } from '../../supervise/mail/assert-person.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { withRecord } from '../with-record.ts';
import { writeText } from '../write-text.ts';

export async function run(invocation: Invocation): Promise<number> {
  const [action] = invocation.args;
  if (action !== 'copy' && action !== 'migrate')
    throw usageError('UNKNOWN_ACTION', `mayday store has no action ${JSON.stringify(action)}`, [
      ['do', 'mayday store copy, or mayday store migrate'],
    ]);
  const address = invocation.env['MAYDAY_STORE'];
  if (!address)
    throw usageError('STORE_UNNAMED', `MAYDAY_STORE names no store to ${action}`, [
      ['do', 'set MAYDAY_STORE=postgres://USER:PASSWORD@HOST/DATABASE'],
    ]);
  return action === 'copy' ? await copy(invocation, address) : await migrate(invocation, address);
}

async function migrate(invocation: Invocation, address: string): Promise<number> {
  const { env } = invocation;
  await assertPersonHere(maydayHome(env), env, '`mayday store migrate`');
  const { from, to } = await migrateStore(address);
  const text =
    from === to
      ? `the tables are of version ${to}, which is the latest; nothing was changed`
      : `${from === 0 ? 'made the tables' : `migrated the tables from version ${from}`}, now version ${to}`;
  return print(invocation, { from, to }, `${text}\n`);
}

async function copy(invocation: Invocation, address: string): Promise<number> {
  const { env, stdout, json } = invocation;
  const home = maydayHome(env);
  const path = recordPath(home);
  if (!existsSync(path))
    throw new MaydayError('RECORD_MISSING', `there is no record in ${home}`, [
      ['did', 'copied nothing'],
      ['do', 'begin with the store: the next `mayday run` writes into it'],
    ]);
  // The file is opened as any command opens it: it is brought up to date, and a lost end is noticed.
  const own = { ...env };
  delete own['MAYDAY_STORE'];
  return await withRecord({ ...invocation, env: own }, async (caller) => {
    const damaged = await caller.record.verify();
    if (damaged[0] !== undefined)
      throw new MaydayError('RECORD_DAMAGED', `${path} does not hold: ${damaged[0].problem}`, [
        ['did', 'copied nothing'],
        ['do', 'mayday verify tells all; mend it first'],
      ]);
    const { copied, problems } = await copyIntoStore(address, env, path);
    const [runs, events] = [copied['run_rows'] ?? 0, copied['events'] ?? 0];
    if (json) stdout.write(`${JSON.stringify({ copied, problems, holds: problems.length === 0 })}\n`);
    else {
      writeText(stdout, `copied ${counted(runs, 'run')}, ${counted(events, 'event')}\n`);
      for (const { runId, problem } of problems) writeText(stdout, `! ${runId ?? 'record'}: ${problem}\n`);
      if (problems.length === 0)
        writeText(
          stdout,
          `the copy holds; ${path} is left as it is, and nothing reads it while MAYDAY_STORE is set\n`,
        );
    }
    return problems.length === 0 ? 0 : 1;
  });
}
