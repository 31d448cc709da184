/** `makeBundle`, `openBundle`: pack commits into bytes that another host can read, and take them out again there. */
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectGit } from './git.ts';
import type { GitResult } from './start-git.ts';

/** Runs git on the repository that is meant. */
export type BundleGit = (...args: string[]) => Promise<GitResult>;

/** Null: the other side has everything already. */
export async function makeBundle(
  git: BundleGit,
  refs: readonly string[],
  without: readonly string[],
): Promise<Buffer | null> {
  const nots = without.length === 0 ? [] : ['--not', ...without];
  const made = await git('bundle', 'create', '--quiet', '-', ...refs, ...nots);
  if (made.exitCode !== 0 && /empty bundle/.test(made.stderr)) return null;
  return expectGit(made, 'packing commits for another host').stdout;
}

/** Adds the objects to the repository and returns the commits by their refs; it sets no ref. */
export async function openBundle(git: BundleGit, body: Buffer): Promise<ReadonlyMap<string, string>> {
  const file = join(tmpdir(), `mayday-bundle-${randomUUID()}`);
  try {
    await writeFile(file, body, { mode: 0o600, flag: 'wx' });
    const read = expectGit(await git('bundle', 'unbundle', file), 'unpacking the commits of another host');
    const lines = read.stdout.toString('utf8').split('\n');
    return new Map(
      lines.flatMap((line) =>
        line === '' ? [] : [[line.slice(line.indexOf(' ') + 1), line.split(' ')[0] as string]],
      ),
    );
  } finally {
    await rm(file, { force: true });
  }
}
