/** `releaseAct`: the act after the end of a run. It erases the given variables, gives the containers back and releases the workspace. */
import { release } from '../platform/container/container.ts';
import type { ContainerHandle } from '../platform/container/container-handle.ts';
import type { Act } from './act.ts';
import { eraseRunEnvironment } from './run-environment.ts';
import { releaseWorkspace } from './workspace/release-workspace.ts';

export const releaseAct: Act<'release'> = async ({ home, state, signal, now }) => {
  eraseRunEnvironment(home, state.runId);
  for (const { handle } of state.attempts) if (handle !== null) release(handle as ContainerHandle);
  if (state.workspace !== null)
    await releaseWorkspace({
      home,
      runId: state.runId,
      keep: state.task.sink.type === 'none',
      now: now(),
      signal,
    });
  return [{ type: 'released', at: now() }];
};
