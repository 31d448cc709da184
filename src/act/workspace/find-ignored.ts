/** `findIgnored`: finds the ignored files that match the patterns of a person, as raw paths. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';

interface IgnoredSpec {
  readonly shadow: string;
  readonly workTree: string;
  readonly state: string;
  readonly patterns: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

export async function findIgnored(spec: IgnoredSpec): Promise<string[]> {
  const pathspecs = spec.patterns.map(toPathspec).filter((pathspec) => pathspec !== null);
  if (pathspecs.length === 0) return [];
  const listing = await shadowGit(
    spec.shadow,
    ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--', ...pathspecs],
    {
      workTree: spec.workTree,
      indexFile: join(spec.state, `no-index-${randomUUID()}`),
      config: [`core.excludesFile=${join(spec.state, 'exclude')}`],
      env: { GIT_LITERAL_PATHSPECS: '0' },
      signal: spec.signal,
    },
  );
  return splitNul(listing.stdout).filter((path) => !path.endsWith('/'));
}

/** Patterns come from a configuration file, so they must not lead out of the workspace or use pathspec magic. */
function toPathspec(pattern: string): string | null {
  const clean = pattern.replace(/^\.\//, '').replace(/\/+$/, '');
  if (clean === '' || clean.startsWith('/') || clean.split('/').includes('..')) return null;
  return `:(top,glob)${clean}`;
}
