/**
 * Configuration and hooks of the repository that a worktree shares with the person: hashed before the agent starts and
 * compared after each attempt. A change is an incident, because the person's own git would run it next.
 */
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

export interface GitState {
  readonly hash: string;
  /** Path below the git directory to the hash of its content. */
  readonly files: Readonly<Record<string, string>>;
}

const NO_GIT: GitState = { hash: '', files: {} };
const SINGLE_FILES = ['config', 'config.worktree', 'info/attributes', 'objects/info/alternates'];
/** A hooks folder holds a dozen small scripts; what is beyond is counted, not read. */
const MAX_HOOKS = 200;
const MAX_HOOK_BYTES = 4 * 1024 * 1024;

export async function readGitState(commonDir: string | null, worktree: string | null): Promise<GitState> {
  if (commonDir === null) return NO_GIT;
  const files: Record<string, string> = {};
  for (const name of SINGLE_FILES) await note(files, name, join(commonDir, name));
  const hooks = await readdir(join(commonDir, 'hooks')).catch(() => []);
  for (const name of hooks.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, MAX_HOOKS)) {
    if (!name.endsWith('.sample')) await note(files, `hooks/${name}`, join(commonDir, 'hooks', name));
  }
  if (hooks.length > MAX_HOOKS) files['hooks'] = `${hooks.length} files`;
  // Where the worktree says its repository is: changed, every git command of the person there goes elsewhere.
  if (worktree !== null) await note(files, '(workspace)/.git', join(worktree, '.git'));
  const text = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { hash: sha256(JSON.stringify(text)), files };
}

/** Names of what was added, changed or removed since; empty when all is as it was. */
export async function gitStateChanges(workspace: {
  readonly kind: string;
  readonly path: string;
  readonly commonDir: string | null;
  readonly gitState: Readonly<Record<string, string>>;
}): Promise<string[]> {
  const worktree = workspace.kind === 'worktree' ? workspace.path : null;
  const { files } = await readGitState(workspace.commonDir, worktree);
  const names = new Set([...Object.keys(files), ...Object.keys(workspace.gitState)]);
  return [...names].filter((name) => files[name] !== workspace.gitState[name]).toSorted();
}

async function note(files: Record<string, string>, name: string, path: string): Promise<void> {
  const facts = await lstat(path).catch(() => null);
  if (facts === null) return;
  if (facts.isSymbolicLink()) files[name] = `link ${await readlink(path).catch(() => '')}`;
  else if (facts.isDirectory()) files[name] = 'directory';
  else if (!facts.isFile() || facts.size > MAX_HOOK_BYTES) files[name] = `not read (${facts.size} bytes)`;
  else {
    const content = await readFile(path).catch(() => null);
    files[name] = content === null ? 'unreadable' : `${facts.mode & 0o111 ? 'x' : '-'} ${sha256(content)}`;
  }
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
