/** `checkEnvironment`: the environment of checks. Its PATH has only absolute folders, and none that the agent could have written to. */
import { realpathSync } from 'node:fs';
import { delimiter, isAbsolute, sep } from 'node:path';
import { agentEnvironment } from '../../platform/process/environment.ts';

export function checkEnvironment(
  env: NodeJS.ProcessEnv,
  named: readonly string[],
  /** The workspace, and Mayday's own folder with every other workspace. */
  agentsOwn: readonly string[],
): Record<string, string> {
  const kept = agentEnvironment(env, named);
  const path = kept['PATH'];
  if (path === undefined) return kept;
  const own = agentsOwn.map(realOf);
  const folders = path
    .split(delimiter)
    // An empty entry means the current folder, where a program named `npm` by the agent would be found first.
    .filter((folder) => isAbsolute(folder))
    .filter((folder) => !own.some((root) => `${realOf(folder)}${sep}`.startsWith(`${root}${sep}`)));
  return { ...kept, PATH: folders.join(delimiter) };
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
