/** `withRecord`, `withRun`, `openCaller`, `findRun`, `adoptUnowned`: the record and the run of a command; what only a person may do. */
import { MaydayError } from '../platform/mayday-error.ts';
import { sweepCommands } from '../platform/process/command-folder.ts';
import type { RunRecord } from '../record/contract.ts';
import { maydayHome } from '../supervise/home.ts';
import { armFault, openRecord } from '../supervise/open-record.ts';
import { type Caller, userName } from '../use-cases/caller.ts';
import { findRun } from '../use-cases/find-run.ts';
import type { Invocation } from './command.ts';
import type { StandardOut } from './standard-out.ts';

export { findRun };

export type Opened = Pick<Caller, 'home' | 'record'>;

/** `evenIfLost`: opens a record whose end was lost, for reading only; runs without a keeper are then left alone. */
export async function withRecord<T>(
  { env, onlyPerson, stderr }: Invocation,
  use: (caller: Caller) => Promise<T>,
  { evenIfLost = false }: { readonly evenIfLost?: boolean } = {},
): Promise<T> {
  const caller = await openCaller(env, { evenIfLost });
  const { home, record } = caller;
  const silence = await ringBell(home, record, stderr);
  try {
    if (onlyPerson !== null) {
      const { assertPerson } = await import('../supervise/mail/assert-person.ts');
      await assertPerson(caller, `\`mayday ${onlyPerson}\``);
    }
    const result = await use(caller);
    if (!evenIfLost) await adoptUnowned(home, record, env);
    return result;
  } catch (error) {
    throw await damageBehind(record, error);
  } finally {
    await silence();
    await record.close();
  }
}

/** What broke the code of a command may be the record that it read: then that is told, with the first thing in it that does not hold. */
async function damageBehind(record: RunRecord, error: unknown): Promise<unknown> {
  const isOurs = error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError;
  if (!isOurs) return error;
  const { problemsOf } = await import('../supervise/watch/cross-check.ts');
  const [first] = await problemsOf(record);
  if (first === undefined) return error;
  const { runId, problem } = first;
  return new MaydayError(
    'RECORD_DAMAGED',
    `the record does not hold${runId === null ? '' : ` for run ${runId}`}: ${problem}`,
    [
      ['did', 'nothing was changed'],
      [
        'do',
        'mayday verify tells all of it; put a backup of the home back, or start the task again as a new run',
      ],
    ],
  ).causedBy(error);
}

/** A command that stays open rings the bell of its terminal. Returns what ends it, before the record is closed. */
export async function ringBell(
  home: string,
  record: RunRecord,
  out: StandardOut,
): Promise<() => Promise<void>> {
  if (!out.isTTY) return async () => {};
  const { ringWhileOpen } = await import('../supervise/notify/bell.ts');
  return ringWhileOpen(home, record, out);
}

/** For a command whose first argument names a run. */
export function withRun<T>(
  invocation: Invocation,
  use: (caller: Caller, runId: string) => Promise<T>,
): Promise<T> {
  return withRecord(invocation, async (caller) =>
    use(caller, await findRun(caller.record, invocation.args[0] ?? '')),
  );
}

/** The person at this terminal with the opened record; keeper processes read the person's words. */
export async function openCaller(
  env: NodeJS.ProcessEnv,
  options: { readonly evenIfLost?: boolean } = {},
): Promise<Caller> {
  const home = maydayHome(env);
  armFault(env, 'command');
  const record = await openRecord(home, env, options);
  const hear = async (runId: string) => {
    const { hearByKeeper, hearElsewhere } = await import('../use-cases/hear-by-keeper.ts');
    const place = await record.hosts?.placeOf(runId);
    if (place && place.host !== record.hosts?.id) return await hearElsewhere(record, runId);
    return await hearByKeeper(home, record, runId, env);
  };
  return { home, record, by: userName(env), hear };
}

/** Every command that opens the record does this once; a view that stays open does it again and again. */
export async function adoptUnowned(home: string, record: RunRecord, env: NodeJS.ProcessEnv): Promise<void> {
  if (record.hosts !== null) {
    const { fetchDeliveries } = await import('../supervise/hosts/fetch-deliveries.ts');
    await fetchDeliveries(home, record);
  }
  // A home that may not be written is looked at all the same.
  await sweepCommands(home).catch(() => undefined);
  const unowned = await record.unowned();
  if (unowned.length === 0) return;
  const { startKeeper } = await import('../supervise/start-keeper.ts');
  const { unseenAttempt } = await import('../supervise/watch/unseen-attempt.ts');
  for (const runId of unowned)
    if ((await unseenAttempt(home, record, runId)) === null) startKeeper(home, runId, env);
}
