/**
 * `listNested`, `unsavedHistories`: list the files of a repository inside the workspace. Git itself would save only its commit id, or
 * fail.
 */
import { randomUUID } from 'node:crypto';
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { rawToText, rawUnder, splitNul } from '../../platform/git/raw-path.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import type { MissingFile } from './checkpoint.ts';

interface NestedSpec {
  readonly shadow: string;
  readonly workTree: string;
  /** The raw path of the nested repository; it ends with a slash. */
  readonly rawPath: string;
  readonly config: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

interface NestedFiles {
  readonly files: readonly string[];
  /** Raw paths of this repository and of those inside it. */
  readonly repositories: readonly string[];
  readonly missing: readonly MissingFile[];
}

/** No project nests repositories deeper; an agent might, to keep Mayday busy. */
const MAX_DEPTH = 5;

export async function listNested(spec: NestedSpec, depth = 1): Promise<NestedFiles> {
  const unread = (why: string): NestedFiles => ({
    files: [],
    repositories: [spec.rawPath],
    missing: [{ path: rawToText(spec.rawPath), why }],
  });
  if (depth > MAX_DEPTH) return unread(`repository nested ${depth} deep`);
  const listing = await shadowGit(spec.shadow, ['ls-files', '-z', '--others', '--exclude-standard'], {
    workTree: rawUnder(spec.workTree, spec.rawPath).toString('utf8'),
    indexFile: join(spec.shadow, `no-index-${randomUUID()}`),
    config: spec.config,
    signal: spec.signal,
  }).catch((error: unknown) => error as Error);
  spec.signal?.throwIfAborted();
  if (listing instanceof Error || listing.exitCode !== 0) {
    const why = listing instanceof Error ? listing.message : listing.stderr.trim();
    return unread(`nested repository: ${why.slice(0, 200)}`);
  }
  const files: string[] = [];
  const repositories: string[] = [spec.rawPath];
  const missing: MissingFile[] = [];
  for (const entry of splitNul(listing.stdout)) {
    const rawPath = spec.rawPath + entry;
    if (!entry.endsWith('/')) files.push(rawPath);
    else {
      const inner = await listNested({ ...spec, rawPath }, depth + 1);
      files.push(...inner.files);
      repositories.push(...inner.repositories);
      missing.push(...inner.missing);
    }
  }
  return { files, repositories, missing };
}

/**
 * Finds the nested repositories whose history is in the workspace itself. A submodule has a `.git` file, and its history is elsewhere.
 * A `.git` directory is history that exists only here, and it is not saved.
 */
export async function unsavedHistories(
  workTree: string,
  nested: readonly string[],
): Promise<readonly MissingFile[]> {
  const missing: MissingFile[] = [];
  for (const rawPath of nested) {
    const git = await lstat(rawUnder(workTree, `${rawPath}.git`)).catch(() => null);
    if (git?.isDirectory())
      missing.push({
        path: `${rawToText(rawPath)}.git`,
        why: 'nested repository: its files are saved, its history is not',
      });
  }
  return missing;
}
