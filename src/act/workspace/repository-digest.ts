/**
 * `repositoryDigest`: everything in the person's git folder that is neither an object nor Mayday's own, and the state of the person's
 * checkout, as a map from names to values: files, refs, logs, entries of each index, files that git would call changed. It opens plain
 * files only, and starts git only where refs are not in files. A name is a path below the git folder; `//` ends the git folder of a
 * submodule or linked checkout. `inGitFolder`: the two parts of a name. `repositoryPath`: where its file is. `logged`: the value of a log.
 */
import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { readPlainBytes } from '../../platform/file/plain-file.ts';
import { guardedGit } from '../../platform/git/git.ts';
import { rawToText, rawUnder } from '../../platform/git/raw-path.ts';
import { type IndexEntry, readIndex } from '../../platform/git/read-index.ts';
import { noteIn, worktreeGitDir } from '../../platform/git/worktree.ts';
import type { Workspace } from './workspace.ts';

export type DigestedWorkspace = Pick<Workspace, 'commonDir' | 'kind' | 'path' | 'repository' | 'shadow'>;

interface Reading {
  readonly commonDir: string;
  readonly digest: Map<string, string>;
  /** The name of this repository's shadow. A home with one has worktrees of Mayday's own: this home, or that of another host. */
  readonly shadow: string;
  /** Git folders that were not Mayday's own: wherever they lead now, they are read. */
  readonly known: ReadonlySet<string>;
  /** Of the person's checkout. */
  readonly gitFolder: string;
  readonly root: string | null;
  filesLeft: number;
}

/** A git folder with more has caches of programs in it. */
const MAX_FILES = 200_000;
const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** For half a million entries or refs. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
const REF = /^(ref: [^\n]+|[0-9a-f]{40,64})\n?$/;
const SUBMODULE = 0o160000;
/** By these files of the run's worktree git commands there use another repository, or run programs. The others are the agent's. */
const OWN_FILES = ['.git', 'config.worktree', 'commondir'].map((name) => `(workspace)/${name}`);

export async function repositoryDigest(
  workspace: DigestedWorkspace,
  signal?: AbortSignal,
  known: ReadonlySet<string> = new Set(),
): Promise<ReadonlyMap<string, string>> {
  const { commonDir, kind, repository, shadow } = workspace;
  const digest = new Map<string, string>();
  if (commonDir === null) return digest;
  const linked = worktreeGitDir(commonDir, repository);
  const gitFolder = linked === null ? '' : `worktrees/${basename(linked)}//`;
  const root = kind === 'worktree' ? repository : null;
  const to = { commonDir, digest, shadow: basename(shadow), known, gitFolder, root, filesLeft: MAX_FILES };
  readGitFolder(to, '');
  if (to.filesLeft === 0) digest.set('(more)', `than ${MAX_FILES} files`);
  if (digest.has('refs') || digest.has('reftable')) await askForRefs(to, signal);
  for (const name of kind === 'worktree' ? OWN_FILES : [])
    readFiles(to, name, Buffer.from(repositoryPath(workspace, name)));
  return digest;
}

export function inGitFolder(name: string): readonly [folder: string, file: string] {
  const at = name.lastIndexOf('//');
  return at === -1 ? ['', name] : [name.slice(0, at), name.slice(at + 2)];
}

export function repositoryPath({ commonDir, path }: DigestedWorkspace, name: string): string {
  const [, own] = /^\(workspace\)\/(.+)$/.exec(name) ?? [];
  if (own === undefined) return join(commonDir ?? '', name);
  const [, folder] = /^gitdir: (.+)$/m.exec(noteIn(path, '.git')) ?? [];
  return own === '.git' || folder === undefined ? join(path, own) : resolve(path, folder, own);
}

function readGitFolder(to: Reading, folder: string): void {
  const names = namesIn(to, folder);
  for (const name of names) {
    const at = `${folder}${name}`;
    const isFolder = factsOf(placeOf(to, at))?.isDirectory() === true;
    if (name === 'objects' && isFolder) readFiles(to, `${at}/info`);
    else if (name === 'logs' && isFolder) {
      // The log of the stash is the list of what is stashed.
      readFiles(to, `${at}/refs/stash`);
      readLogs(to, folder, 'logs');
    } else if ((name === 'worktrees' || name === 'modules') && isFolder) readGitFolders(to, at);
    else if (name === 'reftable') to.digest.set(at, 'read by git');
    else if (name === 'index') readIndexOf(to, folder);
    else if (name !== 'packed-refs') readFiles(to, at);
  }
  // Last, as git does: a ref that is packed meanwhile is in one of both.
  if (!names.includes('packed-refs')) return;
  const packed = readPlainBytes(placeOf(to, `${folder}packed-refs`), MAX_LIST_BYTES);
  if (packed.type === 'bytes') noteRefs(to, folder, packed.bytes);
  else readFiles(to, `${folder}packed-refs`);
}

function readGitFolders(to: Reading, folder: string): void {
  for (const name of namesIn(to, folder)) {
    const at = `${folder}/${name}`;
    if (factsOf(placeOf(to, at))?.isDirectory() !== true) readFiles(to, at);
    else if (factsOf(placeOf(to, `${at}/HEAD`)) === null) readGitFolders(to, at);
    else {
      const isKnown = folder !== 'worktrees' || to.known.has(at);
      const leads = isKnown ? '' : noteIn(join(to.commonDir, at), 'gitdir').trim();
      const shadow = resolve(leads, '../../../shadow', to.shadow);
      if (leads === '' || factsOf(Buffer.from(shadow)) === null) readGitFolder(to, `${at}//`);
    }
  }
}

/** Programs keep objects in folders of their own (`lfs/objects`); a branch may have that name. */
const HOLDS_OBJECTS = /(?:^|\/\/)(?!refs$)[^/]+$/;

function readFiles(to: Reading, name: string, path = placeOf(to, name)): void {
  const facts = to.filesLeft === 0 ? null : factsOf(path);
  if (facts === null) return;
  to.filesLeft -= 1;
  if (!facts.isDirectory()) to.digest.set(textOf(name), valueOf(path, facts));
  else
    for (const inner of namesIn(to, name))
      if (inner !== 'objects' || !HOLDS_OBJECTS.test(name)) readFiles(to, `${name}/${inner}`);
}

/** Links, through which git writes wherever they lead, and of each log the part that there is: git only appends to it. */
function readLogs(to: Reading, folder: string, place: string): void {
  for (const name of namesIn(to, `${folder}${place}`)) {
    const at = `${place}/${name}`;
    const path = placeOf(to, `${folder}${at}`);
    const facts = to.filesLeft === 0 ? null : factsOf(path);
    if (facts !== null) to.filesLeft -= 1;
    if (facts?.isDirectory() === true) readLogs(to, folder, at);
    else if (facts?.isSymbolicLink() === true) to.digest.set(textOf(`${folder}${at}`), valueOf(path, facts));
    else if (facts?.isFile() === true && at !== 'logs/refs/stash')
      to.digest.set(textOf(`${folder}log:${at}`), logged(path, facts.size) ?? 'not read');
  }
}

/** The first bytes of a log, as a value; null: there are fewer. */
export function logged(path: Buffer | string, size: number): string | null {
  const read = readPlainBytes(path, MAX_LIST_BYTES);
  if (read.type !== 'bytes' || read.bytes.length < size) return null;
  return `${size} ${createHash('sha256').update(read.bytes.subarray(0, size)).digest('hex')}`;
}

/** Lines of an object's id and a ref. A ref in a file of its own comes first. */
function noteRefs({ digest }: Reading, folder: string, lines: Buffer): void {
  for (const line of lines.toString('latin1').split('\n')) {
    const [, id, ref] = /^([0-9a-f]{40,64}) (.+)$/.exec(line) ?? [];
    const name = textOf(`${folder}${ref}`);
    if (id !== undefined && !digest.has(name)) digest.set(name, id);
  }
}

/** Where they are in reftables, or behind a link that the person made. */
async function askForRefs(to: Reading, signal: AbortSignal | undefined): Promise<void> {
  const call = { cwd: to.commonDir, env: process.env, gitEnv: { GIT_DIR: to.commonDir }, signal };
  const listed = await guardedGit({ ...call, args: ['for-each-ref', '--format=%(objectname) %(refname)'] });
  noteRefs(to, '', listed.stdout);
  const head = await guardedGit({ ...call, args: ['symbolic-ref', '--quiet', 'HEAD'] });
  if (head.exitCode === 0) to.digest.set('HEAD', `ref: ${head.stdout.toString('utf8').trim()}`);
}

function readIndexOf(to: Reading, folder: string): void {
  const isOfCheckout = folder === to.gitFolder;
  // In place, the index is the agent's.
  if (isOfCheckout && to.root === null) return;
  const read = readPlainBytes(placeOf(to, `${folder}index`), MAX_LIST_BYTES);
  const entries = read.type === 'bytes' ? readIndex(read.bytes) : null;
  if (entries === null) return readFiles(to, `${folder}index`);
  for (const entry of entries) {
    const name = textOf(`${folder}index:${entry.rawPath}`);
    const side = entry.stage === 0 ? '' : `${to.digest.get(name) ?? ''} conflict `;
    const flags = `${entry.assumeUnchanged ? 'assume-unchanged ' : ''}${entry.skipWorktree ? 'skip-worktree ' : ''}`;
    to.digest.set(name, `${flags}${side}${entry.mode.toString(8)} ${entry.id}`);
    const state = isOfCheckout ? stateOf(to.root ?? '', entry) : null;
    if (state !== null) to.digest.set(textOf(`${folder}checkout:${entry.rawPath}`), state);
  }
}

/** Null: the file is as git last saw it. */
function stateOf(root: string, seen: IndexEntry): string | null {
  if (seen.mode === SUBMODULE || seen.skipWorktree) return null;
  const now = factsOf(rawUnder(root, seen.rawPath));
  if (now === null) return 'gone';
  const isSame =
    now.size % 2 ** 32 === seen.size && now.mtimeMs === seen.mtimeMs && now.ctimeMs === seen.ctimeMs;
  return isSame ? null : `${now.mode.toString(8)} ${sizeAndTime(now)}`;
}

function valueOf(path: Buffer, facts: Stats): string {
  if (facts.isSymbolicLink()) return `link ${orNull(() => readlinkSync(path, 'utf8'))}`;
  const read = facts.size <= MAX_FILE_BYTES ? readPlainBytes(path, MAX_FILE_BYTES) : null;
  if (read?.type !== 'bytes') return `not read (${sizeAndTime(facts)})`;
  const ref = facts.size < 1000 ? REF.exec(read.bytes.toString('utf8'))?.[1] : undefined;
  return ref ?? `${facts.mode & 0o111 ? 'x' : '-'} ${createHash('sha256').update(read.bytes).digest('hex')}`;
}

/** No program can set back the time of a change. */
function sizeAndTime({ size, ctimeMs }: Stats): string {
  return `${size} bytes of ${new Date(ctimeMs).toISOString()}`;
}

function placeOf({ commonDir }: Reading, rawName: string): Buffer {
  return rawUnder(commonDir, rawName);
}

function namesIn(to: Reading, folder: string): string[] {
  return orNull(() => readdirSync(placeOf(to, folder), 'latin1')) ?? [];
}

function textOf(rawName: string): string {
  return /[^ -~]/.test(rawName) ? rawToText(rawName) : rawName;
}

function factsOf(path: Buffer): Stats | null {
  return orNull(() => lstatSync(path, { throwIfNoEntry: false })) ?? null;
}

/** Null: the system refused. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
