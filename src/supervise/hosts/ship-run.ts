/**
 * `RunShipper`, `shipBase`: put what another host needs to go on with a run into the record: the base, every checkpoint, the branch that
 * was delivered; and the transcripts for people. A parcel is in the record before the fact that speaks of it.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { checkpointNumbers } from '../../act/checkpoint/checkpoint.ts';
import { checkpointRefs, runStatePath } from '../../act/workspace/home-layout.ts';
import { transcriptPath } from '../../act/run-files.ts';
import { runRepository } from '../../act/run-repository.ts';
import { findWorkspace } from '../../act/workspace/workspace.ts';
import type { Fact } from '../../core/vocabulary/events/event.ts';
import type { RunState } from '../../core/state/run-state.ts';
import { type BundleGit, makeBundle } from '../../platform/git/bundle.ts';
import { guardedGit, lineOf } from '../../platform/git/git.ts';
import { listSettings } from '../../platform/git/list-settings.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';
import { MaydayError } from '../../platform/mayday-error.ts';
import type { HostsRecord } from '../../record/contract/hosts.ts';

/** A checkpoint of text is a few kilobytes. A larger one would make every turn of the fleet wait for the database. */
export const MAX_PARCEL_BYTES = 64 * 1024 * 1024;
export const BASE = 'base';
export const BASE_BUNDLE = 'base bundle';
export const WORKSPACE = 'workspace';
export const DELIVERY = 'delivery';
export const CHECKPOINTS = 'checkpoint ';
export const TRANSCRIPTS = 'transcript ';

/** The base of a run as another host finds it. */
export interface ShippedBase {
  readonly commit: string;
  readonly branch: string | null;
  /** Where a host gets the commits that are not in the bundle; null: the bundle holds all of them. */
  readonly remote: string | null;
}

export interface ShippedRun {
  readonly hosts: HostsRecord;
  readonly runId: string;
  readonly fence: number;
}

export function repositoryGit(cwd: string): BundleGit {
  return (...args) => guardedGit({ args, cwd, env: process.env });
}

/** Ships the commit that the run begins from. False: it is too large, and the run stays on this host. */
export async function shipBase(run: ShippedRun, repository: string): Promise<boolean> {
  const git = repositoryGit(repository);
  const commit = lineOf(await git('rev-parse', 'HEAD'));
  const branch = await git('symbolic-ref', '--quiet', '--short', 'HEAD');
  const settings = await listSettings(repository, process.env);
  const remote = settings.findLast(({ key }) => key === 'remote.origin.url')?.value ?? '';
  const isReached = /^(?:https?|ssh|git|file):\/\/|^[^/]+@[^/]+:/.test(remote);
  const bundle = await makeBundle(git, ['HEAD'], isReached ? ['--remotes=origin'] : []).catch(
    () => 'failed' as const,
  );
  if (bundle === 'failed' || (bundle?.length ?? 0) > MAX_PARCEL_BYTES) return false;
  const base: ShippedBase = {
    commit,
    branch: branch.exitCode === 0 ? lineOf(branch) : null,
    remote: isReached ? remote : null,
  };
  await run.hosts.saveParcel({ ...run, name: BASE, body: Buffer.from(JSON.stringify(base)) });
  if (bundle !== null) await run.hosts.saveParcel({ ...run, name: BASE_BUNDLE, body: bundle });
  return true;
}

/** Facts after which the run has a checkpoint that it did not have before. */
// biome-ignore format: words stand together
const SHIPS: ReadonlySet<Fact['type']> = new Set([
  'workspace_prepared', 'checkpoint_taken', 'checkpoint_restored', 'attempt_examined', 'work_rebased',
]);

export class RunShipper {
  readonly #home: string;
  readonly #run: ShippedRun;
  readonly #say: (text: string) => void;
  /** The last checkpoint in the record; null: not known yet. */
  #last: number | null = null;

  constructor(home: string, run: ShippedRun, say: (text: string) => void = console.error) {
    this.#home = home;
    this.#run = run;
    this.#say = say;
  }

  /** Call it before the fact is submitted. */
  async before(fact: Fact, state: RunState): Promise<void> {
    if (SHIPS.has(fact.type)) await this.#shipCheckpoints();
    if (fact.type === 'attempt_examined') await this.#shipTranscript(fact.attempt);
    if (fact.type === 'work_delivered' && fact.ref !== null && fact.commit)
      await this.#shipDelivery(fact.ref, state);
  }

  async #shipCheckpoints(): Promise<void> {
    const { runId, hosts } = this.#run;
    const workspace = await findWorkspace({ home: this.#home, runId });
    if (workspace === null) return;
    const { shadow } = workspace;
    const last = (this.#last ??= await lastShipped(hosts, runId));
    const fresh = checkpointNumbers(shadow, runId).filter((number) => number > last);
    const newest = fresh.at(-1);
    if (newest === undefined) return;
    const ref = (number: number) => `${checkpointRefs(runId)}/${number}`;
    const git: BundleGit = (...args) => shadowGit(shadow, args);
    const body = await makeBundle(git, fresh.map(ref), last < 0 ? [] : [ref(last)]).catch(tooLarge);
    if (body === null || body.length > MAX_PARCEL_BYTES) return await this.#tellTooLarge(last, newest);
    const exclude = await readFile(join(runStatePath(shadow, runId), 'exclude'), 'utf8').catch(() => '');
    // The base of the work changes when it is rebased.
    await this.#save(WORKSPACE, Buffer.from(JSON.stringify({ workspace, exclude })));
    await this.#save(`${CHECKPOINTS}${newest}`, body);
    this.#last = newest;
  }

  /** For people who read it from another host. One that is too large stays on this host. */
  async #shipTranscript(attempt: number): Promise<void> {
    const text = await readFile(transcriptPath(this.#home, this.#run.runId, attempt)).catch(() => null);
    const body = text === null ? null : await promisify(gzip)(text);
    if (body !== null && body.length <= MAX_PARCEL_BYTES) await this.#save(`${TRANSCRIPTS}${attempt}`, body);
  }

  async #shipDelivery(branch: string, state: RunState): Promise<void> {
    const repository = runRepository(this.#home, state);
    // Where the person has the repository, the branch is there already.
    if (repository === state.repository) return;
    const base = state.workspace?.baseCommit;
    const bundle = await makeBundle(repositoryGit(repository), [`refs/heads/${branch}`], base ? [base] : []);
    if (bundle !== null) await this.#save(DELIVERY, bundle);
  }

  async #save(name: string, body: Buffer): Promise<void> {
    await this.#run.hosts.saveParcel({ ...this.#run, name, body });
  }

  /** Said once for each checkpoint: another host would go on from an earlier one, or the run stays here. */
  async #tellTooLarge(last: number, newest: number): Promise<void> {
    const { runId, fence, hosts } = this.#run;
    const what = `checkpoint ${newest} of run ${runId} is larger than ${MAX_PARCEL_BYTES / 1024 ** 2} MB`;
    if (last < 0) await hosts.keepHere(runId, fence);
    const means =
      last < 0
        ? 'the run stays on this host'
        : `if this host is lost, another goes on from checkpoint ${last}`;
    this.#say(`mayday: ${what}: ${means}`);
  }
}

/** A bundle that git could not even print is larger than any limit. */
function tooLarge(error: unknown): null {
  if (error instanceof MaydayError) return null;
  throw error;
}

async function lastShipped(hosts: HostsRecord, runId: string): Promise<number> {
  const numbers = (await hosts.parcels(runId))
    .filter((name) => name.startsWith(CHECKPOINTS))
    .map((name) => Number(name.slice(CHECKPOINTS.length)));
  return Math.max(-1, ...numbers);
}
