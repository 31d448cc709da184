/**
 * `keepDigest`, `changesSince`, `changeLines`, `isSetting`, `undoOf`: compare the person's repository with what it was before an agent
 * worked. A worktree shares it, so an agent can change it. Mayday reports a change with the command that undoes it, and never runs that
 * command.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { listedPaths } from '../../core/vocabulary/blockers/words.ts';
import { changeText, type RepositoryChange } from '../../core/vocabulary/events/compose-facts.ts';
import { oneOf } from '../../core/text/one-of.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { readPlainBytes, readState } from '../../platform/file/plain-file.ts';
import { forgedObjects } from './forged-objects.ts';
import { KEPT_GIT_STATE, runStatePath } from './home-layout.ts';
import {
  type DigestedWorkspace,
  inGitFolder,
  logged,
  repositoryDigest,
  repositoryPath,
} from './repository-digest.ts';
import type { Workspace } from './workspace.ts';

/** `prepared`: before any agent of the run. `started`: before the last one; no agent changed what changed while none worked. */
type Moment = 'prepared' | 'started';
type Place = DigestedWorkspace & Pick<Workspace, 'runId'>;

const Digest = z.record(z.string(), z.string());
/** What the person's next git command obeys or believes. Git itself writes `info/refs`, and runs no sample. */
const SETTING = oneOf(
  /^(?:config(?:\.worktree)?|hooks\/.*(?<!\.sample)|info\/(?!refs$).*)$/,
  /^(?:objects\/info\/(?:http-)?alternates|shallow|commondir|gitdir|\(workspace\)\/.*)$/,
  // Of these the digest holds only links, and objects that are not what their names say.
  /^(?:logs\/(?!refs\/stash$)|objects\/(?!info(?:\/|$))).*$/,
);
const LOG = /(^|\/\/)log:/;
/** Refs, and what decides where and how the next commit is made. */
const DECIDES = /^(?:refs\/|HEAD$|(?:MERGE|CHERRY_PICK|REVERT)_HEAD$)/;
const MAX_KEPT_BYTES = 4 * 1024 * 1024;
const SHOWN = 30;
const SHOWN_LINES = 3;
const SHOWN_CHARACTERS = 200;

export function isSetting({ name }: Pick<RepositoryChange, 'name'>): boolean {
  return SETTING.test(inGitFolder(name)[1]);
}

/** An index entry by which git hides that a file changed. */
export function isHiding({ name, was, is }: RepositoryChange): boolean {
  return name.includes('index:') && FLAG.test(is ?? '') && !FLAG.test(was ?? '');
}
const FLAG = /^(?:assume-unchanged|skip-worktree) /;

/** Returns a hash over all of it. Settings are also copied, so that one command can undo a later change. */
export async function keepDigest(workspace: Place, moment: Moment, signal?: AbortSignal): Promise<string> {
  const digest = await repositoryDigest(workspace, signal, knownFolders(workspace));
  if (digest.size === 0) return '';
  for (const name of moment === 'prepared' ? digest.keys() : []) {
    const content = isSetting({ name }) ? textAt(repositoryPath(workspace, name)) : null;
    if (content === null) continue;
    const kept = keptPath(workspace, name);
    mkdirSync(dirname(kept), { recursive: true, mode: 0o700 });
    writeFileSync(kept, content, {
      encoding: 'latin1',
      mode: digest.get(name)?.startsWith('x') ? 0o700 : 0o600,
    });
  }
  const text = JSON.stringify(Object.fromEntries(digest));
  await writeFileDurably(digestPath(workspace, moment), text);
  return createHash('sha256').update(text).digest('hex');
}

export async function changesSince(
  workspace: Workspace,
  moment: Moment,
  signal?: AbortSignal,
): Promise<RepositoryChange[]> {
  const { gitState = {}, refs = {} } = workspace;
  const kept =
    readState(Digest, digestPath(workspace, moment)) ?? readState(Digest, digestPath(workspace, 'prepared'));
  // The record of an older version holds less, and so tells nothing of what is new.
  const before = new Map(Object.entries(kept ?? { ...gitState, ...refs }));
  const now = await repositoryDigest(workspace, signal, knownFolders(workspace));
  const names = new Set([...before.keys(), ...(kept === null ? [] : now.keys())]);
  const forged = (await forgedInRepository(workspace, signal)).map((name) => ({
    name,
    was: 'what its name says',
    is: 'something else',
  }));
  return [
    ...forged,
    ...[...names]
      .filter((name) => before.get(name) !== now.get(name))
      // Mayday does not need what the agent deleted in its own worktree.
      .filter((name) => now.has(name) || !name.startsWith('(workspace)/'))
      .filter((name) => !LOG.test(name) || isRewritten(workspace, name, before.get(name)))
      .toSorted()
      .map((name) => ({ name, was: before.get(name) ?? null, is: now.get(name) ?? null })),
  ];
}

/** Git appends to a log, and begins new ones: what there was is still there. */
function isRewritten(workspace: Place, name: string, was: string | undefined): boolean {
  const size = Number.parseInt(was ?? '', 10);
  return size > 0 && logged(repositoryPath(workspace, name.replace(LOG, '$1')), size) !== was;
}

/** Since the run was prepared: an agent of another run may have worked meanwhile. */
export async function forgedInRepository(workspace: Place, signal?: AbortSignal): Promise<readonly string[]> {
  const prepared = statSync(digestPath(workspace, 'prepared'), { throwIfNoEntry: false });
  if (workspace.commonDir === null || prepared === undefined) return [];
  return await forgedObjects(workspace.commonDir, prepared.mtimeMs, signal);
}

/** The linked checkouts that the person had when the run was prepared: none of them becomes Mayday's own by what an agent writes. */
function knownFolders(workspace: Place): ReadonlySet<string> {
  const prepared = Object.keys(readState(Digest, digestPath(workspace, 'prepared')) ?? {});
  return new Set(prepared.map((name) => inGitFolder(name)[0]));
}

/** The git folders of submodules and linked checkouts that are new or gone. */
export function wholeFolders(changes: readonly RepositoryChange[]): ReadonlySet<string> {
  const heads = changes.filter(
    ({ name, was, is }) => name.endsWith('//HEAD') && (was === null || is === null),
  );
  return new Set(heads.map(({ name }) => inGitFolder(name)[0]));
}

/** What decides is described one by one; the rest, which a person at work changes all the time, by its names. */
export function changeLines(workspace: Place, changes: readonly RepositoryChange[]): string[] {
  const whole = wholeFolders(changes);
  const [described, names]: [string[], [list: string, name: string][]] = [[], []];
  for (const change of changes) {
    const [folder, file] = inGitFolder(change.name);
    const [, list = 'files', path = change.name] = /^(index|checkout|log):(.*)/s.exec(file) ?? [];
    if (whole.has(folder)) names.push([change.was === null ? 'new folders' : 'deleted folders', folder]);
    else if (DECIDES.test(file) || isSetting(change) || isHiding(change))
      described.push([changeText(change), undoOf(workspace, change).undo].filter(Boolean).join('; undo: '));
    else names.push([list, list === 'files' || folder === '' ? path : `${folder}//${path}`]);
  }
  const more = described.length - SHOWN;
  const lists = [...Map.groupBy(names, ([list]) => list)].map(
    ([list, found]) => `${list}: ${listedPaths([...new Set(found.map(([, name]) => name))])}`,
  );
  return [
    ...described.slice(0, SHOWN),
    ...(more > 0 ? [`${more} more refs and settings`] : []),
    ...(lists.length === 0 ? [] : [`also changed, by you or by the agent: ${lists.join('; ')}`]),
  ];
}

/** The command that undoes a change, where one is known. */
export function undoOf(workspace: Place, { name, was }: RepositoryChange): { readonly undo?: string } {
  const [folder, file] = inGitFolder(name);
  const git = folder === '' ? 'git' : `git --git-dir=${quoted(join(workspace.commonDir ?? '', folder))}`;
  if (file.startsWith('index:'))
    return {
      undo: `${git} update-index --no-assume-unchanged --no-skip-worktree ${quoted(file.slice('index:'.length))}`,
    };
  if (/^(?:HEAD$|refs\/)/.test(file)) {
    if (was === null) return { undo: `${git} update-ref -d ${quoted(file)}` };
    const [, link] = /^ref: (.+)/.exec(was) ?? [];
    if (link !== undefined) return { undo: `${git} symbolic-ref ${file} ${quoted(link)}` };
    return { undo: `${git} update-ref ${file === 'HEAD' ? '--no-deref ' : ''}${quoted(file)} ${was}` };
  }
  const [at, kept] = [repositoryPath(workspace, name), keptPath(workspace, name)];
  if (was === null || /^objects\/(?!info\/)/.test(file)) return { undo: `rm ${quoted(at)}` };
  const old = textAt(kept)?.split('\n');
  if (old === undefined) return {};
  const added = (textAt(at) ?? '').split('\n').filter((line) => line.trim() !== '' && !old.includes(line));
  const says = added
    .slice(0, SHOWN_LINES)
    .map((line) => line.trim())
    .join('; ')
    .slice(0, SHOWN_CHARACTERS);
  return { undo: `cp ${quoted(kept)} ${quoted(at)}${says === '' ? '' : ` (it now says: ${says})`}` };
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}

function keptPath({ shadow, runId }: Place, name: string): string {
  return join(runStatePath(shadow, runId), KEPT_GIT_STATE, name);
}

function digestPath({ shadow, runId }: Place, moment: Moment): string {
  return join(runStatePath(shadow, runId), `repository-${moment}.json`);
}

/** Null: it cannot be read, or is too large. An agent, also of another run, may put a pipe in its place at any moment. */
function textAt(path: string): string | null {
  const read = readPlainBytes(path, MAX_KEPT_BYTES);
  return read.type === 'bytes' ? read.bytes.toString('latin1') : null;
}
