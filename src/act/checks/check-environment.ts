/** `checkEnvironment`: the environment of checks. Its PATH has only absolute folders, and none that the agent could have written to. */
import { delimiter, isAbsolute } from 'node:path';
import { isInside, realOrSame } from '../../platform/file/inside.ts';
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
  const own = agentsOwn.map(realOrSame);
  const folders = path
    .split(delimiter)
    // An empty entry means the current folder, where a program named `npm` by the agent would be found first.
    .filter((folder) => isAbsolute(folder))
    .filter((folder) => !own.some((root) => isInside(realOrSame(folder), root)));
  return { ...kept, PATH: folders.join(delimiter) };
}
