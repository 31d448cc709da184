/**
 * `bringBackWorkspace`: makes a deleted workspace again before the next attempt: first at its base, then at the last
 * checkpoint. A mark on disk says that this is under way, so that a half-made tree is not taken for the agent's work. `restoredFact`:
 * brings the files of a checkpoint back, and is the fact of it.
 */
import { lastCheckpoint } from '../core/state/last-tree.ts';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Fact } from '../core/vocabulary/events/event.ts';
import { writeFileDurably } from '../platform/file/durable-write.ts';
import type { ActContext } from './act.ts';
import { workspaceSpec } from './prepare-workspace.ts';
import { runDir } from './run-files.ts';
import { assertSetUp, isSetUp } from './project/set-up.ts';
import { makeWorkspace } from './workspace/make-workspace.ts';
import { restoreCheckpoint } from './checkpoint/restore-checkpoint.ts';
import type { Workspace } from './workspace/workspace.ts';

const MARK_FILE = 'workspace-lost.json';

/** Call it only while no attempt of the run is alive. */
export async function bringBackWorkspace(
  context: ActContext,
  workspace: Workspace,
): Promise<readonly Fact[]> {
  const { home, state, now } = context;
  const mark = join(runDir(home, state.runId), MARK_FILE);
  if (existsSync(workspace.path) && !existsSync(mark) && isSetUp(workspace.setup)) {
    mkdirSync(workspace.cwd, { recursive: true });
    return [];
  }
  await writeFileDurably(mark, JSON.stringify({ at: now() }));
  assertSetUp((await makeWorkspace(workspaceSpec(context))).setup);
  const number = lastCheckpoint(state)?.number;
  const facts: Fact[] = [];
  if (number !== undefined) {
    facts.push(await restoredFact(context, number, 'Mayday, because the workspace was gone'));
  }
  rmSync(mark, { force: true });
  return facts;
}

/** For Mayday itself: no process of the run is alive. */
export async function restoredFact(
  { home, state, signal, now }: ActContext,
  number: number,
  by: string,
): Promise<Fact> {
  const { runId, options } = state;
  const ignoredToInclude = options.ignoredToCopy;
  const spec = { home, runId, number, liveProcesses: 0, ignoredToInclude, signal };
  const { restored, kept } = await restoreCheckpoint(spec);
  return { type: 'checkpoint_restored', at: now(), number, restored: restored.length, kept, by };
}
