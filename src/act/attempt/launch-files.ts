/**
 * `LaunchFiles`, `readLaunchFiles`: what the start of an attempt noted for the processes that watch it, also for a keeper that adopts
 * the run later: the hook files to read and the session files to copy.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { readState } from '../../platform/file/plain-file.ts';

const FILE = 'launch.json';
/** The file holds an id and some paths. */
const MAX_BYTES = 256 * 1024;

/** The agent can write this file, so its content is checked. */
const LaunchFiles = z.object({
  /** Null until the agent tells it. */
  agentSession: z.string().nullable(),
  agentVersion: z.string().nullable(),
  damage: z.object({ isKept: z.boolean(), why: z.string() }).optional(),
  hookFiles: z.array(z.string()).readonly(),
  /** With `UNKNOWN_SESSION` in place of a session id that the agent had not told yet. */
  sessionFiles: z.array(z.string()).readonly(),
});
export type LaunchFiles = Readonly<z.infer<typeof LaunchFiles>>;

export function launchFilesPath(attemptDir: string): string {
  return join(attemptDir, FILE);
}

export function readLaunchFiles(attemptDir: string): LaunchFiles | null {
  return readState(LaunchFiles, launchFilesPath(attemptDir), MAX_BYTES);
}
