/**
 * `assertHomeOutside`, `homeInside`: refuse a run that would save Mayday's own state as a part of its work. A worktree does not hold
 * that state, so it is no problem there.
 */
import { relative } from 'node:path';
import { isInside, realOrSame } from '../../platform/file/inside.ts';
import { guardedGit } from '../../platform/git/git.ts';
import { usageError } from '../../platform/mayday-error.ts';
import type { RepositoryFacts } from './inspect-repository.ts';

interface HomeSpec {
  readonly home: string;
  readonly env: NodeJS.ProcessEnv;
  /** True: the run saves everything below the root, because it works in place or includes uncommitted changes. */
  readonly savesAll: boolean;
}

export async function assertHomeOutside(facts: RepositoryFacts, spec: HomeSpec): Promise<void> {
  const inside = homeInside(facts.root, spec.home);
  if (inside === null || (facts.kind === 'git' && !spec.savesAll)) return;
  if (facts.kind === 'git') {
    const args = ['check-ignore', '--quiet', '--', `${inside}/x`];
    const ignored = await guardedGit({ args, cwd: facts.root, env: spec.env });
    if (ignored.exitCode === 0) return;
  }
  throw usageError(
    'HOME_IN_WORKSPACE',
    `MAYDAY_HOME (${spec.home}) lies inside ${facts.root}, which this run would save as its work`,
    [
      ['do', `set MAYDAY_HOME to a folder elsewhere, or let git ignore ${inside}/`],
      ['did', 'the run was not started and nothing was changed'],
    ],
  );
}

/** The path of Mayday's state below the root; null: it is not below the root. */
export function homeInside(root: string, home: string): string | null {
  const real = realOrSame(home);
  return real !== root && isInside(real, root) ? relative(root, real) : null;
}
