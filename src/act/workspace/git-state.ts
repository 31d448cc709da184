/**
 * `readGitState`, `gitStateChanges`, `keepGitState`, `gitStateUndoLines`: watch the git configuration and hooks that a worktree shares with
 * the person's repository. They are hashed before the agent starts and compared after each attempt. A change is an incident, because the
 * person's next git command would run it.
 */
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readlinkSync, type Stats, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { namesIn } from '../../platform/file/find-paths.ts';
import { readPlainBytes, readPlainFile } from '../../platform/file/plain-file.ts';

export interface GitState {
  readonly hash: string;
  /** Maps a path below the git directory to the hash of its content. */
  readonly files: Readonly<Record<string, string>>;
}

const NO_GIT: GitState = { hash: '', files: {} };
const OWN_CONFIG = '(workspace)/config.worktree';
/** The file in which the worktree names its repository. A deleted one is harmless: Mayday does not need it. */
const POINTER = '(workspace)/.git';
const SINGLE_FILES = ['config', 'config.worktree', 'info/attributes', 'objects/info/alternates'];
/** A hooks folder holds a dozen small scripts. Further files are counted, not read. */
const MAX_HOOKS = 200;
const MAX_HOOK_BYTES = 4 * 1024 * 1024;

export function readGitState(commonDir: string | null, worktree: string | null): GitState {
  if (commonDir === null) return NO_GIT;
  const files: Record<string, string> = {};
  for (const name of SINGLE_FILES) note(files, name, join(commonDir, name));
  const own = worktree === null ? null : ownGitDir(worktree);
  if (own !== null) note(files, OWN_CONFIG, join(own, 'config.worktree'));
  const hooks = namesIn(join(commonDir, 'hooks'));
  for (const name of hooks.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, MAX_HOOKS)) {
    if (!name.endsWith('.sample')) note(files, `hooks/${name}`, join(commonDir, 'hooks', name));
  }
  if (hooks.length > MAX_HOOKS) files['hooks'] = `${hooks.length} files`;
  // Where it is changed, git commands of the person in the worktree use another repository.
  if (worktree !== null) note(files, POINTER, join(worktree, '.git'));
  const text = Object.entries(files).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { hash: sha256(JSON.stringify(text)), files };
}

/** Names of the files that were added, changed or removed since the agent started. */
export async function gitStateChanges(workspace: {
  readonly kind: string;
  readonly path: string;
  readonly commonDir: string | null;
  readonly gitState: Readonly<Record<string, string>>;
}): Promise<string[]> {
  const worktree = workspace.kind === 'worktree' ? workspace.path : null;
  const { files } = readGitState(workspace.commonDir, worktree);
  const names = new Set([...Object.keys(files), ...Object.keys(workspace.gitState)]);
  return [...names]
    .filter((name) => files[name] !== workspace.gitState[name])
    .filter((name) => !(name === POINTER && files[name] === undefined))
    .toSorted();
}

/** Copies the files as they are now, so that one command can undo a later change. */
export function keepGitState(
  commonDir: string | null,
  worktree: string | null,
  names: readonly string[],
  folder: string,
): void {
  for (const name of names) {
    const from = placeOf(name, commonDir, worktree);
    const facts = from === null ? null : factsOf(from);
    const content = from === null ? null : contentOf(from);
    if (facts === null || content === null) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, name), content, { mode: facts.mode });
  }
}

/** Describes each change, with the command that undoes it. Mayday never runs the command itself. */
export async function gitStateUndoLines(
  { kind, path, commonDir, gitState }: Parameters<typeof gitStateChanges>[0],
  changed: readonly string[],
  folder: string,
): Promise<string[]> {
  const lines: string[] = [];
  for (const name of changed) {
    const at = placeOf(name, commonDir, kind === 'worktree' ? path : null);
    if (at === null) continue;
    const kept = join(folder, name);
    const isKept = factsOf(kept) !== null;
    if (!(name in gitState)) lines.push(`${name} is new; undo: rm ${quoted(at)}`);
    else if (isKept) {
      const added = addedLines(kept, at);
      lines.push(`${name} changed${added}; undo: cp ${quoted(kept)} ${quoted(at)}`);
    } else lines.push(`${name} changed`);
  }
  return lines;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

const SHOWN_LINES = 3;
const SHOWN_CHARACTERS = 200;

function addedLines(before: string, now: string): string {
  const linesOf = (path: string) => (contentOf(path)?.toString('utf8') ?? '').split('\n');
  const old = new Set(linesOf(before));
  const added = linesOf(now).filter((line) => line.trim() !== '' && !old.has(line));
  if (added.length === 0) return '';
  const shown = added.slice(0, SHOWN_LINES).map((line) => line.trim());
  return ` (now says: ${shown.join('; ').slice(0, SHOWN_CHARACTERS)})`;
}

function placeOf(name: string, commonDir: string | null, worktree: string | null): string | null {
  if (name === OWN_CONFIG) {
    const own = worktree === null ? null : ownGitDir(worktree);
    return own === null ? null : join(own, 'config.worktree');
  }
  if (name === POINTER) return worktree === null ? null : join(worktree, '.git');
  return commonDir === null ? null : join(commonDir, name);
}

function ownGitDir(worktree: string): string | null {
  const read = readPlainFile(join(worktree, '.git'), MAX_HOOK_BYTES);
  const found = read.type === 'text' ? /^gitdir: (.+)$/m.exec(read.text)?.[1] : undefined;
  return found === undefined ? null : resolve(worktree, found);
}

function note(files: Record<string, string>, name: string, path: string): void {
  const facts = factsOf(path);
  if (facts === null) return;
  if (facts.isSymbolicLink()) files[name] = `link ${orNull(() => readlinkSync(path)) ?? ''}`;
  else if (facts.isDirectory()) files[name] = 'directory';
  else if (!facts.isFile() || facts.size > MAX_HOOK_BYTES) files[name] = `not read (${facts.size} bytes)`;
  else {
    const content = contentOf(path);
    files[name] = content === null ? 'unreadable' : `${facts.mode & 0o111 ? 'x' : '-'} ${sha256(content)}`;
  }
}

function factsOf(path: string): Stats | null {
  return orNull(() => lstatSync(path));
}

/** Null: it cannot be read, or is too large. An agent, also of another run, may put a pipe in its place at any moment. */
function contentOf(path: string): Buffer | null {
  const read = readPlainBytes(path, MAX_HOOK_BYTES);
  return read.type === 'bytes' ? read.bytes : null;
}

/** Null: the system refused. */
function orNull<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
