/**
 * `bringRun`: makes the files of a run that another host had: repository, checkpoints, workspace and agent session, from what the record
 * holds. The run then goes on as after any crash.
 */
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { findAdapter } from '../../agents/registry.ts';
import type { ActContext } from '../../act/act.ts';
import { checkpointNumbers, readCheckpoint } from '../../act/checkpoint/checkpoint.ts';
import { restoredFact } from '../../act/bring-back-workspace.ts';
import { extrasCommit } from '../../act/checkpoint/verify-checkpoint.ts';
import { workspaceSpec } from '../../act/prepare-workspace.ts';
import { setRunRepository } from '../../act/run-repository.ts';
import { checkpointRefs, runStatePath, shadowPath, workPath } from '../../act/workspace/home-layout.ts';
import { inspectRepository } from '../../act/workspace/inspect-repository.ts';
import { filterCover } from '../../act/workspace/person-settings.ts';
import { makeWorkspace } from '../../act/workspace/make-workspace.ts';
import { keepDigest } from '../../act/workspace/repository-changes.ts';
import { recordWorkspace, Workspace } from '../../act/workspace/workspace.ts';
import { adapterName, type Fact } from '../../core/vocabulary/events/event.ts';
import { currentAttempt, type RunState } from '../../core/state/run-state.ts';
import { writeFileDurably } from '../../platform/file/durable-write.ts';
import { openBundle } from '../../platform/git/bundle.ts';
import { closedGit, expectGit, guardedGit } from '../../platform/git/git.ts';
import { listSettings } from '../../platform/git/list-settings.ts';
import { ensureShadow, shadowGit } from '../../platform/git/shadow-git.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import type { HostsRecord } from '../../record/contract/hosts.ts';
import { BASE, BASE_BUNDLE, CHECKPOINTS, repositoryGit, type ShippedBase, WORKSPACE } from './ship-run.ts';

/** The facts that came of it. */
export async function bringRun(hosts: HostsRecord, context: ActContext): Promise<readonly Fact[]> {
  const { home, state, signal } = context;
  const { runId } = state;
  const repository = await bringRepository(hosts, home, state);
  if (state.workspace === null) return [];
  const text = await hosts.parcel(runId, WORKSPACE);
  if (text === null) throw notCarried(runId, 'its workspace');
  const { workspace: shipped, exclude } = JSON.parse(text.toString('utf8')) as {
    workspace: unknown;
    exclude: string;
  };
  const there = Workspace.parse(shipped);
  const { root, commonDir } = await inspectRepository(repository, { home });
  const shadow = shadowPath(home, commonDir ?? root);
  await ensureShadow(shadow, signal);
  const folder = runStatePath(shadow, runId);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, 'exclude'), exclude, { mode: 0o600 });
  await bringCheckpoints(hosts, runId, shadow);
  const path = workPath(home, runId);
  const cwd = join(path, relative(there.path, there.cwd));
  const here = { ...there, path, cwd, repository: root, commonDir, shadow };
  await recordWorkspace(home, here);
  const made = await makeWorkspace(workspaceSpec(context));
  await recordWorkspace(home, { ...made, configHash: await keepDigest(made, 'prepared', signal) });
  const number = checkpointNumbers(shadow, runId).at(-1) ?? 0;
  // Files that git tracks although a pattern ignores them are found by the index alone.
  const checkpoint = await readCheckpoint(shadow, runId, 0, signal);
  if (checkpoint !== null)
    await shadowGit(shadow, ['read-tree', checkpoint.tree], { indexFile: join(folder, 'index'), signal });
  await bringSession(context, shadow, number, cwd);
  return [await restoredFact(context, number, 'Mayday, on another host')];
}

/** The repository of the person, where this host has the base of the run in it; otherwise a copy beside the home. */
async function bringRepository(hosts: HostsRecord, home: string, state: RunState): Promise<string> {
  const { runId } = state;
  const text = await hosts.parcel(runId, BASE);
  if (text === null) throw notCarried(runId, 'its base');
  const base = JSON.parse(text.toString('utf8')) as ShippedBase;
  const has = async (path: string) =>
    existsSync(path) &&
    (await repositoryGit(path)('cat-file', '-e', `${base.commit}^{commit}`)).exitCode === 0;
  if (await has(state.repository)) {
    await setRunRepository(home, runId, null);
    return state.repository;
  }
  // Beside the home: agents see the repository of their worktree, and nothing in the home.
  const path = join(`${home}-repositories`, runId);
  if (!(await has(path))) await copyRepository({ home, hosts, runId }, base, path);
  await setRunRepository(home, runId, path);
  return path;
}

/** A remote asks for the person's login, and files may need filters: the person's programs run inside the cover. */
async function copyRepository(
  { home, hosts, runId }: { readonly home: string; readonly hosts: HostsRecord; readonly runId: string },
  base: ShippedBase,
  path: string,
): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const doing = `copying the repository of run ${runId}`;
  const env = process.env;
  const cover = { home, runId, show: [] };
  const settings = (await listSettings('/', env)).map(({ key, value }) => [key, value] as const);
  const call = { cwd: dirname(path), env, ...(base.remote === null ? {} : { cover }) };
  const args =
    base.remote === null
      ? ['init', '--quiet', '--template=', '--', path]
      : ['clone', '--quiet', '--no-checkout', '--template=', '--', base.remote, path];
  expectGit(await closedGit({ ...call, args }, settings), doing);
  const bundle = await hosts.parcel(runId, BASE_BUNDLE);
  if (bundle !== null) await openBundle(repositoryGit(path), bundle);
  const ref = `refs/heads/${base.branch ?? 'base'}`;
  expectGit(await repositoryGit(path)('update-ref', ref, base.commit), doing);
  await writeFile(join(path, '.git/HEAD'), `ref: ${ref}\n`);
  const fill = ['read-tree', '--reset', '-u', '--no-recurse-submodules', 'HEAD'];
  const filters = filterCover(settings, cover);
  expectGit(await guardedGit({ args: fill, cwd: path, env, home, ...filters }, settings), doing);
}

/** Puts the checkpoints of the run that the record holds into the shadow repository. */
export async function bringCheckpoints(hosts: HostsRecord, runId: string, shadow: string): Promise<void> {
  for (const name of await hosts.parcels(runId)) {
    if (!name.startsWith(CHECKPOINTS)) continue;
    const body = await hosts.parcel(runId, name);
    if (body === null) continue;
    const refs = await openBundle((...args) => shadowGit(shadow, args), body);
    for (const [ref, commit] of refs)
      if (ref.startsWith(`${checkpointRefs(runId)}/`))
        expectGit(
          await shadowGit(shadow, ['update-ref', ref, commit]),
          'noting a checkpoint of another host',
        );
  }
}

/** Puts the copies of the agent's session where the agent looks for them on this host. */
async function bringSession(
  { state, env, signal }: ActContext,
  shadow: string,
  number: number,
  workspace: string,
): Promise<void> {
  const checkpoint = await readCheckpoint(shadow, state.runId, number, signal);
  const attempt = currentAttempt(state);
  const agentSession = attempt?.agentSession ?? null;
  const adapter = attempt === undefined ? null : findAdapter(adapterName(attempt.agent));
  const extras = checkpoint === null ? null : await extrasCommit(shadow, checkpoint, signal);
  if (checkpoint === null || adapter === null || agentSession === null || extras === null) return;
  const places = adapter.sessionFiles({ agentSession, workspace, env });
  for (const { name, path } of checkpoint.session) {
    const place = places[Number(name.split('-')[0])] ?? path;
    const target = place.includes('*') ? join(dirname(place), path.split('/').at(-1) ?? '') : place;
    const read = await shadowGit(shadow, ['cat-file', 'blob', `${extras}:session/${name}`], { signal });
    if (read.exitCode !== 0 || target.includes('*') || existsSync(target)) continue;
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFileDurably(target, read.stdout);
  }
}

function notCarried(runId: string, what: string): MaydayError {
  return new MaydayError(
    'RUN_NOT_CARRIED',
    `run ${runId} was on another host, and the record does not hold ${what}`,
    [
      ['did', 'left the run as it is'],
      ['do', 'start the host that has it again; it goes on there'],
    ],
  );
}
