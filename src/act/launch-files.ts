/** What an attempt's launch left for its watchers, also for one that adopts it: the hook files to tail, the session files to copy. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'launch.json';

export interface LaunchFiles {
  readonly agentSession: string;
  readonly agentVersion: string | null;
  readonly hookFiles: readonly string[];
  readonly sessionFiles: readonly string[];
}

export function launchFilesPath(attemptDir: string): string {
  return join(attemptDir, FILE);
}

export function readLaunchFiles(attemptDir: string): LaunchFiles | null {
  try {
    return JSON.parse(readFileSync(launchFilesPath(attemptDir), 'utf8')) as LaunchFiles;
  } catch {
    return null;
  }
}
