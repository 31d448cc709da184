/** `checkEnvironment`: the environment of checks. Its PATH has only absolute folders, none inside one that is untrusted. */
import { delimiter, isAbsolute } from 'node:path';
import { isInside, realOrSame } from '../../platform/file/inside.ts';
import { agentEnvironment } from '../../platform/process/environment.ts';

export function checkEnvironment(
  env: NodeJS.ProcessEnv,
  /** Further variables; `NAME*` is a prefix. */
  named: readonly string[],
  /** Folders whose programs must not be found: the agent could have written them. */
  untrustedFolders: readonly string[],
): Record<string, string> {
  const kept = agentEnvironment(env, named);
  const path = kept['PATH'];
  if (path === undefined) return kept;
  const untrusted = untrustedFolders.map(realOrSame);
  const folders = path
    .split(delimiter)
    // An empty entry means the current folder, where a program named `npm` by the agent would be found first.
    .filter((folder) => isAbsolute(folder))
    .filter((folder) => !untrusted.some((root) => isInside(realOrSame(folder), root)));
  return { ...kept, PATH: folders.join(delimiter) };
}
