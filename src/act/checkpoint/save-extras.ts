/** `saveExtras`: saves what a checkpoint keeps beside the tree: ignored files that were named, and copies of the agent's session files. */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { lineOf } from '../../platform/git/git.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import type { SessionCopy } from './checkpoint.ts';
import { problemOf, snapshotTree } from './snapshot-tree.ts';
import type { MissingFile } from './checkpoint.ts';
import { splitNul } from '../../platform/git/raw-path.ts';
import { withIndex } from './with-index.ts';

interface ExtrasSpec {
  readonly shadow: string;
  readonly workTree: string;
  readonly state: string;
  readonly ignoredToInclude: readonly string[];
  readonly ignoredRawPaths: readonly string[];
  readonly sessionFiles: readonly string[];
  readonly maxFileBytes: number;
  readonly signal?: AbortSignal | undefined;
}

interface Extras {
  readonly commit: string | null;
  readonly session: readonly SessionCopy[];
  readonly missing: readonly MissingFile[];
}

export async function saveExtras(spec: ExtrasSpec): Promise<Extras> {
  const named = [spec.ignoredToInclude, spec.ignoredRawPaths, spec.sessionFiles];
  if (named.every((list) => list.length === 0)) return { commit: null, session: [], missing: [] };
  const ignored = await saveIgnored(spec);
  const session = await saveSession(spec);
  const missing = [...ignored.missing, ...session.missing];
  const entries = [
    ...(ignored.tree === null ? [] : [`040000 tree ${ignored.tree}\tignored`]),
    ...(session.tree === null ? [] : [`040000 tree ${session.tree}\tsession`]),
  ];
  if (entries.length === 0) return { commit: null, session: [], missing };
  const { shadow, signal } = spec;
  const tree = await shadowGit(shadow, ['mktree'], { input: `${entries.join('\n')}\n`, signal });
  const commit = await shadowGit(shadow, ['commit-tree', lineOf(tree)], { input: 'extras\n', signal });
  if (tree.exitCode !== 0 || commit.exitCode !== 0)
    return { commit: null, session: [], missing: [...missing, { path: 'session', why: problemOf(commit) }] };
  return { commit: lineOf(commit), session: session.copies, missing };
}

async function saveIgnored(
  spec: ExtrasSpec,
): Promise<{ tree: string | null; missing: readonly MissingFile[] }> {
  const { shadow, workTree, state, maxFileBytes, signal } = spec;
  const matching = await findIgnored({ shadow, workTree, state, patterns: spec.ignoredToInclude, signal });
  const only = [...new Set([...matching, ...spec.ignoredRawPaths])];
  if (only.length === 0) return { tree: null, missing: [] };
  // The index is new each time: an old one would still list deleted files.
  const snapshot = await withIndex(state, async (indexFile) => {
    const files = { shadow, workTree, indexFile, excludesFile: null };
    return await snapshotTree({ ...files, maxFileBytes, only, signal });
  });
  if (snapshot.type === 'failed')
    return { tree: null, missing: [{ path: spec.ignoredToInclude.join(', '), why: snapshot.problem }] };
  return { tree: snapshot.tree, missing: snapshot.missing };
}

async function saveSession(
  spec: ExtrasSpec,
): Promise<{ tree: string | null; copies: readonly SessionCopy[]; missing: readonly MissingFile[] }> {
  const copies: SessionCopy[] = [];
  const missing: MissingFile[] = [];
  const lines: string[] = [];
  for (const [position, path] of spec.sessionFiles.entries()) {
    const facts = await stat(path).catch(() => null);
    if (!facts?.isFile() || facts.size > spec.maxFileBytes) {
      missing.push({ path, why: facts?.isFile() ? 'session file too large' : 'no such session file' });
      continue;
    }
    const hashed = await shadowGit(spec.shadow, ['hash-object', '-w', '--no-filters', '--', path], {
      signal: spec.signal,
    });
    if (hashed.exitCode !== 0) {
      missing.push({ path, why: problemOf(hashed) });
      continue;
    }
    const name = `${position}-${basename(path).replaceAll(/[^A-Za-z0-9._-]/g, '_')}`;
    lines.push(`100644 blob ${lineOf(hashed)}\t${name}`);
    copies.push({ path, name });
  }
  if (lines.length === 0) return { tree: null, copies, missing };
  const tree = await shadowGit(spec.shadow, ['mktree'], {
    input: `${lines.join('\n')}\n`,
    signal: spec.signal,
  });
  if (tree.exitCode !== 0)
    return { tree: null, copies: [], missing: [...missing, { path: 'session', why: problemOf(tree) }] };
  return { tree: lineOf(tree), copies, missing };
}

interface IgnoredSpec extends Pick<ExtrasSpec, 'shadow' | 'workTree' | 'state' | 'signal'> {
  readonly patterns: readonly string[];
}

/** Finds the ignored files that match the patterns of a person, as raw paths. */
async function findIgnored(spec: IgnoredSpec): Promise<string[]> {
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
