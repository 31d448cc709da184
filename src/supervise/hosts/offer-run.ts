/** `offerRun`: lets the hosts of a fleet take a queued run, if everything that it needs can travel. Otherwise only this host takes it. */
import type { RunState } from '../../core/state/run-state.ts';
import { shipBase, type ShippedRun } from './ship-run.ts';

interface Wish {
  readonly labels?: readonly string[];
  readonly priority?: number;
  readonly script?: unknown;
  readonly given?: { readonly values: Readonly<Record<string, string>> };
}

export async function offerRun(run: ShippedRun, state: RunState, wish: Wish): Promise<void> {
  const movable = travels(state, wish) && (await shipBase(run, state.repository));
  await run.hosts.offer({ ...run, movable, labels: wish.labels ?? [], priority: wish.priority ?? 0 });
}

/** Secret values, scripts, uncommitted files and places outside the repository stay where they are. */
function travels({ options, task, repository }: RunState, { script, given }: Wish): boolean {
  const isCarried = task.sink.type === 'branch' || task.sink.type === 'pull_request';
  const isBound =
    options.inPlace || options.includeDirty || options.asUser !== undefined || repository === '';
  const isLocal = Boolean(script) || Object.keys(given?.values ?? {}).length > 0;
  return isCarried && !isBound && !isLocal;
}
