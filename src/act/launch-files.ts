/** What an attempt's launch left for its watchers, also for one that adopts it: the hook files to tail, the session files to copy. */
import { join } from 'node:path';
import { z } from 'zod';
import { readPlainJson } from '../platform/file/plain-file.ts';

const FILE = 'launch.json';
/** Some paths and an id. */
const MAX_BYTES = 256 * 1024;

/** It lies where the agent can write: what does not fit is not taken. */
const LaunchFiles = z.object({
  agentSession: z.string(),
  agentVersion: z.string().nullable(),
  hookFiles: z.array(z.string()).readonly(),
  sessionFiles: z.array(z.string()).readonly(),
});
export type LaunchFiles = Readonly<z.infer<typeof LaunchFiles>>;

export function launchFilesPath(attemptDir: string): string {
  return join(attemptDir, FILE);
}

export function readLaunchFiles(attemptDir: string): LaunchFiles | null {
  return LaunchFiles.safeParse(readPlainJson(launchFilesPath(attemptDir), MAX_BYTES)).data ?? null;
}
