/**
 * `readStatus`: reads the commit, the branch and the uncommitted changes of the person's checkout in one call. It runs nothing that the
 * configuration of the checkout names.
 */
import { expectGit, guardedGit } from '../../platform/git/git.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import { localFilterGuards } from './local-filter-guards.ts';

const MAX_DIRTY = 1_000;

interface Status {
  readonly head: string | null;
  readonly branch: string | null;
  readonly dirty: string[];
}

export async function readStatus(
  root: string,
  env: NodeJS.ProcessEnv,
  signal: AbortSignal | undefined,
): Promise<Status> {
  const filters = await localFilterGuards(root, env, signal);
  const args = ['status', '--porcelain=v2', '--branch', '-z', '--no-renames', '--ignore-submodules=all'];
  const status = await guardedGit({ args, cwd: root, env, signal }, filters);
  const lines = splitNul(expectGit(status, 'looking at the checkout').stdout);
  const told = (name: string) => {
    const text = lines.find((line) => line.startsWith(`# branch.${name} `))?.slice(10 + name.length);
    return text === undefined || text === '(initial)' || text === '(detached)' ? null : rawToText(text);
  };
  return {
    head: told('oid'),
    branch: told('head'),
    dirty: lines
      .filter((line) => !line.startsWith('#'))
      .slice(0, MAX_DIRTY)
      .map((line) => rawToText(pathOf(line))),
  };
}

/** The number of fields before the path, by the first letter of the line (`git status --porcelain=v2`). */
const FIELDS: Readonly<Record<string, number>> = { '1': 8, u: 10, '?': 1, '!': 1 };

function pathOf(line: string): string {
  let at = 0;
  for (let field = 0; field < (FIELDS[line[0] ?? ''] ?? 1); field += 1) at = line.indexOf(' ', at) + 1;
  return line.slice(at);
}
