/**
 * `localFilterGuards`: makes settings that switch off the filters of a repository's own configuration. The person's global filters (LFS)
 * stay. `mayHaveFilters`: whether there can be some.
 */
import { join } from 'node:path';
import { readPlainFile } from '../../platform/file/plain-file.ts';
import { guardedGit } from '../../platform/git/git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';

export async function localFilterGuards(
  root: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<readonly (readonly [key: string, value: string])[]> {
  const args = ['config', '--list', '--show-scope', '--name-only', '-z'];
  const listing = splitNul((await guardedGit({ args, cwd: root, env, signal })).stdout);
  const names = new Set<string>();
  for (let at = 0; at + 1 < listing.length; at += 2) {
    const scope = listing[at];
    if (scope !== 'local' && scope !== 'worktree') continue;
    const name = /^filter\.(.*)\.[a-z]+$/s.exec(rawToText(listing[at + 1] as string))?.[1];
    if (name !== undefined) names.add(name);
  }
  return [...names].flatMap((name) => [
    [`filter.${name}.clean`, ''] as const,
    [`filter.${name}.smudge`, ''] as const,
    [`filter.${name}.process`, ''] as const,
    [`filter.${name}.required`, 'false'] as const,
  ]);
}

/** A configuration has some lines. */
const MAX_CONFIG_BYTES = 256 * 1024;

/** False: the repository's own configuration names no filter and no other file. To read it spares a call of git. */
export function mayHaveFilters(commonDir: string): boolean {
  const read = readPlainFile(join(commonDir, 'config'), MAX_CONFIG_BYTES);
  return read.type !== 'text' || /filter|include|worktreeconfig/i.test(read.text);
}
