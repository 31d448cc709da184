/** `watch`: follows a run that any Mayday process keeps, moment by moment, until it has ended or waits for a person. It only looks. */
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openQuestion } from '../core/state/run-state.ts';
import { runJson } from '../core/view/run-json.ts';
import { maydayHome } from '../supervise/home.ts';
import { openRecord } from '../supervise/open-record.ts';
import { RunTeller } from '../supervise/run-teller.ts';
import { findRun } from '../use-cases/find-run.ts';
import { momentOf, type RunMoment } from './run-moment.ts';
import type { RunDocument } from './supervise.ts';

export interface WatchOptions {
  /** A run by its name, the beginning of its name, or `@` for the last one. */
  readonly run: string;
  /** Default: MAYDAY_HOME or ~/.mayday. */
  readonly home?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
}

/** A person does not notice less. */
const LOOK_MS = 200;

/** Yields what happened so far, then what happens; returns the document of the run. */
export async function* watch(options: WatchOptions): AsyncGenerator<RunMoment, RunDocument> {
  const env = options.env ?? process.env;
  const record = await openRecord(resolve(options.home ?? maydayHome(env)), env);
  try {
    const moments: RunMoment[] = [];
    const teller = new RunTeller(record, await findRun(record, options.run), (event, state) => {
      moments.push(momentOf(event, state));
    });
    for (;;) {
      await teller.tell();
      yield* moments.splice(0);
      const { state } = teller;
      if (state !== null && (state.life.type === 'ended' || openQuestion(state) !== undefined))
        return runJson(state);
      options.signal?.throwIfAborted();
      await pause(LOOK_MS, undefined, options.signal === undefined ? {} : { signal: options.signal });
    }
  } finally {
    await record.close();
  }
}
