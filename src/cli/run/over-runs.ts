/** `overRuns`: does one thing to each run that the command line names, or to all with `--all`. A refusal of one keeps no other from it. */
import { MaydayError, usageError } from '../../platform/mayday-error.ts';
import { printError, asProblem } from '../../platform/print-error.ts';
import type { RunFilter } from '../../record/contract/journal.ts';
import type { Caller } from '../../use-cases/caller.ts';
import type { Invocation } from '../command.ts';
import { print } from '../print.ts';
import { findRun, withRecord } from '../with-record.ts';
import { textOut } from '../write-text.ts';

interface Done {
  readonly document: unknown;
  readonly text: string;
  /** One line that names the run, where the text does not. */
  readonly inList?: string;
  readonly exitCode: number;
}

interface Deed {
  readonly name: string;
  /** The runs that `--all` means; null: the command has no such option. */
  readonly all: RunFilter | null;
  /** Begun for every run before the end of the first is waited for. */
  readonly begin: (caller: Caller, runId: string) => Promise<() => Promise<Done>>;
}

/** One run gives its document, several or `--all` a list. A name that is no run is refused before anything is done. */
export function overRuns(invocation: Invocation, { name, all, begin }: Deed): Promise<number> {
  const { args, options, stderr } = invocation;
  const isAll = options['all'] === true;
  if (isAll === args.length > 0)
    throw usageError('WRONG_ARGUMENTS', `${name} takes RUN...${all === null ? '' : ', or --all'}`, [
      ['do', 'mayday ps lists the runs; @ is the last one'],
      ['do', `mayday ${name} --help`],
    ]);
  return withRecord(invocation, async (caller) => {
    const runIds = isAll
      ? (await caller.record.rows({ ...all, withoutView: true })).map(({ runId }) => runId)
      : await named(caller, args);
    if (!isAll && runIds.length === 1) {
      const { document, text, exitCode } = await (await begin(caller, runIds[0] ?? ''))();
      print(invocation, document, text);
      return exitCode;
    }
    const refused = (runId: string, error: unknown): Done => {
      if (!(error instanceof MaydayError)) throw error;
      const exitCode = printError(error, textOut(stderr));
      return { document: { run_id: runId, error: asProblem(error) }, text: '', exitCode };
    };
    const ends: (() => Promise<Done>)[] = [];
    for (const runId of runIds) {
      const end = await begin(caller, runId).catch((error: unknown) => {
        const done = refused(runId, error);
        return async () => done;
      });
      ends.push(() => end().catch((error: unknown) => refused(runId, error)));
    }
    const done: Done[] = [];
    for (const end of ends) done.push(await end());
    const text =
      done.length === 0 ? 'no such run: mayday ps\n' : done.map((one) => one.inList ?? one.text).join('');
    print(
      invocation,
      done.map(({ document }) => document),
      text,
    );
    const codes = done.map(({ exitCode }) => exitCode);
    const worst = Math.max(0, ...codes);
    // Wrong usage (2) promises that nothing was changed.
    return worst === 2 && codes.includes(0) ? 1 : worst;
  });
}

async function named({ record }: Caller, names: readonly string[]): Promise<string[]> {
  const found = new Set<string>();
  for (const name of names) found.add(await findRun(record, name));
  return [...found];
}
