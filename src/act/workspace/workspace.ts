/**
 * `Workspace`, `openWorkspace`, `findWorkspace`, `recordWorkspace`: the record of a run's workspace. It is written durably when the
 * workspace is ready.
 */
import { z } from 'zod';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { readState } from '../../platform/file/plain-file.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import { workspaceRecordPath } from './home-layout.ts';

const SetupOutcome = z.object({
  command: z.string(),
  exitCode: z.number().nullable(),
  durationMs: z.number(),
  outputTail: z.string(),
});
export type SetupOutcome = z.infer<typeof SetupOutcome>;

export const Workspace = z.object({
  version: z.literal(1),
  runId: z.string(),
  kind: z.enum(['worktree', 'in-place', 'plain']),
  /** The top of the tree that checkpoints save. */
  path: z.string(),
  /** The folder in which the agent starts: the same one below the top in which the person started the run. */
  cwd: z.string(),
  /** The top of the person's own checkout; without git, the plain folder. */
  repository: z.string(),
  /** The git directory that all worktrees of the repository share; null without git. */
  commonDir: z.string().nullable(),
  shadow: z.string(),
  /** The commit the work builds on; with `--include-dirty` a commit on top of HEAD. Null without git. */
  baseCommit: z.string().nullable(),
  /** True: the base commit holds uncommitted changes of the person. */
  includesDirty: z.boolean().optional(),
  /** Shadow tree of the workspace before the agent started: checkpoint 0. */
  baseTree: z.string(),
  /** The person's branch at the start; null when HEAD was detached. */
  branch: z.string().nullable(),
  /** A hash over the digest of the repository, which repository-changes.ts keeps. */
  configHash: z.string(),
  /** Settings and refs of the repository before the agent started; only in records of older versions. */
  gitState: z.record(z.string(), z.string()).optional(),
  refs: z.record(z.string(), z.string()).optional(),
  /** Settings that decide how files become objects, as they were before the agent started. */
  conversion: z.array(z.string()),
  /** Attributes of the person and of `info/attributes` before the agent started; absent in records of older versions. */
  attributes: z.object({ global: z.string(), own: z.string() }).optional(),
  /** Author of deliveries, from the person's configuration. */
  author: z.object({ name: z.string(), email: z.string() }).nullable(),
  warnings: z.array(z.string()),
  setup: SetupOutcome.nullable(),
});
export type Workspace = z.infer<typeof Workspace>;

interface WorkspaceKey {
  readonly home: string;
  readonly runId: string;
}

export async function findWorkspace(key: WorkspaceKey): Promise<Workspace | null> {
  return readState(Workspace, workspaceRecordPath(key.home, key.runId));
}

export async function openWorkspace(key: WorkspaceKey): Promise<Workspace> {
  const workspace = await findWorkspace(key);
  if (workspace !== null) return workspace;
  throw new MaydayError('WORKSPACE_UNKNOWN', `run ${key.runId} has no workspace on this machine`, [
    ['did', 'nothing was read or changed'],
    ['do', 'check MAYDAY_HOME and the run id with `mayday ps`'],
  ]);
}

export async function recordWorkspace(home: string, workspace: Workspace): Promise<void> {
  const path = workspaceRecordPath(home, workspace.runId);
  await writeFileDurably(path, `${JSON.stringify(workspace, null, 1)}\n`);
}
