/** `startRun`: creates a planned run: the only way, for the command line, the library and drills. */
import { setTimeout as pause } from 'node:timers/promises';
import { secretsOf, writeRunEnvironment } from '../../act/run-environment.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { CommitUnknown, RecordUnavailable } from '../../record/contract/record-unavailable.ts';
import { createRedactor } from '../../record/redaction/redact.ts';
import { shipBase, type ShippedRun } from '../../supervise/hosts/ship-run.ts';
import { claimFolder } from '../../supervise/lease/claim-folder.ts';
import { createRun } from '../../supervise/request/create-run.ts';
import { valuesOf } from '../../supervise/request/given-environment.ts';
import type { RunCreated } from '../../supervise/request/run-spec.ts';
import { storeRehearsalScript } from '../../supervise/request/store-rehearsal-script.ts';
import type { Caller } from '../caller.ts';
import { type NewRun, planRun, type RunPlan } from './plan-run.ts';

/** `queued`: the run waits for a worker; `started`: it has a keeper. */
export interface StartResult {
  readonly type: 'started' | 'queued';
  readonly runId: string;
  readonly state: RunState;
}

export async function startRun(caller: Caller, plan: RunPlan): Promise<StartResult> {
  const { home, record } = caller;
  const { planner, wish } = plan;
  const { queued = false, given = { names: [], values: {} } } = wish;
  // A name that another run has by now is replaced, and what depends on it planned again.
  const create = async (runId: string): Promise<RunCreated> => {
    const { fact, folder } = runId === plan.runId ? plan : await planRun(planner, wish, runId);
    if (folder !== null) await claimFolder(home, record, folder, runId);
    if (wish.script) storeRehearsalScript(home, runId, wish.script);
    for (const [name, script] of Object.entries(wish.scriptedFallbacks ?? {}))
      storeRehearsalScript(home, runId, script, name);
    return queued ? { ...fact, options: { ...fact.options, queued } } : fact;
  };
  const values = secretsOf({ ...valuesOf(given.names, planner.env), ...given.values });
  const redactor = createRedactor({ environment: planner.env, values });
  const { state, fence } = await createRun(record, redactor, create, plan.runId, wish.name !== undefined);
  const { runId } = state;
  const { hosts } = record;
  try {
    await writeRunEnvironment(home, runId, given.values);
    if (queued && hosts !== null) await overCuts(() => offerRun({ hosts, runId, fence }, state, wish));
  } finally {
    // From here on the run belongs to its keeper, also where this process fails.
    const release = () => record.releaseLease(runId, fence);
    // A file that is locked was waited for already, and its error names who holds it.
    await (hosts === null ? release() : overCuts(release));
  }
  return queued
    ? { type: 'queued', runId, state }
    : { type: 'started', runId, state: await caller.hear(runId) };
}

/** Together a quarter of a minute: as long as a database takes to start again. */
const PAUSES_MS = [250, 500, 1_000, 2_000, 4_000, 8_000];

/** The run is in the record: a short cut must not leave it there with nobody who hears of it. What is tried can be repeated. */
async function overCuts<T>(act: () => Promise<T>): Promise<T> {
  for (const pauseMs of PAUSES_MS)
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof RecordUnavailable || error instanceof CommitUnknown)) throw error;
      await pause(pauseMs);
    }
  return await act();
}

/** Lets the hosts of a fleet take a queued run, if everything that it needs can travel. Otherwise only this host takes it. */
async function offerRun(run: ShippedRun, state: RunState, wish: NewRun): Promise<void> {
  const movable = travels(state, wish) && (await shipBase(run, state.repository));
  await run.hosts.offer({ ...run, movable, labels: wish.labels ?? [], priority: wish.priority ?? 0 });
}

/** Secret values, scripts, uncommitted files and places outside the repository stay where they are. */
function travels({ options, task, repository }: RunState, { script, given }: NewRun): boolean {
  const isCarried = task.sink.type === 'branch' || task.sink.type === 'pull_request';
  const isBound =
    options.inPlace || options.includeDirty || options.asUser !== undefined || repository === '';
  const isLocal = Boolean(script) || Object.keys(given?.values ?? {}).length > 0;
  return isCarried && !isBound && !isLocal;
}
