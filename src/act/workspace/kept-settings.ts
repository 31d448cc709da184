/** `keepSettings`, `keptSettings`: the person's whole git configuration from before the agent, for a push. */
import { join } from 'node:path';
import { z } from 'zod';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { readState } from '../../platform/file/plain-file.ts';
import { type GitSetting, listSettings } from '../../platform/git/list-settings.ts';
import { runStatePath } from './home-layout.ts';
import type { Workspace } from './workspace.ts';

const KEPT = 'git-settings.json';
const Kept = z.array(z.object({ scope: z.string(), key: z.string(), value: z.string() }));

/** In the run's own folder and not in the record: a configuration may hold passwords. */
export async function keepSettings(state: string, all: readonly GitSetting[]): Promise<void> {
  await writeFileDurably(join(state, KEPT), JSON.stringify(all), { mode: 0o600 });
}

/** Where none were kept (a run of an older version, or of another host), those of now. */
export async function keptSettings(
  { shadow, runId, repository }: Workspace,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<readonly GitSetting[]> {
  const kept = readState(Kept, join(runStatePath(shadow, runId), KEPT));
  return kept ?? (await listSettings(repository, env, signal));
}
