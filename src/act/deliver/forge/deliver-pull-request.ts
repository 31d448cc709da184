/**
 * `deliverPullRequest`: the sink `pr`. It makes a branch here, pushes it to the remote and makes the pull request. Each step first looks
 * whether it was done before, so that after a failed pull request only the pull request is made.
 */
import { NOT_PROVEN } from '../../../core/vocabulary/proof.ts';
import { type Isolation, isolationLine } from '../../../core/vocabulary/isolation.ts';
import { guardedGit } from '../../../platform/git/git.ts';
import type { GitSetting } from '../../../platform/git/list-settings.ts';
import { keptSettings } from '../../workspace/kept-settings.ts';
import { changesSince, isSetting } from '../../workspace/repository-changes.ts';
import { openWorkspace, type Workspace } from '../../workspace/workspace.ts';
import { deliverBranch } from '../deliver-branch.ts';
import {
  approvalRequired,
  blockedDelivery,
  type CommitSpec,
  type DeliveryResult,
  type IsApproved,
} from '../delivery.ts';
import { ForgeError, type Forge, type ForgeSpec } from './forge.ts';
import { openRepository, type Repository } from '../repository-git.ts';
import { apiForge } from './forge-api.ts';
import { ghForge } from './forge-gh.ts';

export interface PullRequestDelivery extends CommitSpec {
  readonly branch: string;
  readonly env: NodeJS.ProcessEnv;
  /** The results of the checks, for the description. */
  readonly proof: readonly string[];
  /** Why the work is not proven, for the description; empty: it is. */
  readonly notProven?: readonly string[];
  /** What judges was changed, and how far the checks prove the changed files. */
  readonly proofLines?: readonly string[];
  /** How the attempts were isolated, for the description; null: no attempt started. */
  readonly isolation?: Isolation | null;
  readonly isApproved: IsApproved;
}

const PUSH_TIMEOUT_MS = 5 * 60_000;
const MAX_TITLE = 100;
const MAX_BODY = 20_000;

export async function deliverPullRequest(spec: PullRequestDelivery): Promise<DeliveryResult> {
  const workspace = await openWorkspace(spec);
  const branch = await deliverBranch(spec);
  if (branch.type === 'blocked') return branch;
  const done = await publish(spec, workspace, branch);
  return done.type === 'blocked' ? { ...done, commit: branch.commit } : done;
}

async function publish(
  spec: PullRequestDelivery,
  workspace: Workspace,
  branch: Extract<DeliveryResult, { type: 'delivered' }>,
): Promise<DeliveryResult> {
  const repository = await openRepository(workspace, spec.signal);
  if (!('git' in repository)) return repository;
  const settings = await keptSettings(workspace, spec.env, spec.signal);
  const remote = await remoteOf(repository, workspace, settings);
  if (remote === null)
    return blockedDelivery('generator_unavailable', [
      `The work is on branch ${spec.branch}, but the repository has no remote to make a pull request on.`,
    ]);
  const changed = (await changesSince(workspace, 'prepared', spec.signal)).filter(isSetting);
  const finding = { source: 'git', files: changed.map(({ name }) => name) } as const;
  // A push runs programs that the configuration names. After the configuration changed, a person must decide.
  if (changed.length > 0 && !spec.isApproved(finding)) return approvalRequired(finding);
  const pushed = await push(spec, workspace, settings, remote.name);
  if (pushed !== null) return pushed;
  return await request(spec, workspace, { remote, settings }, branch);
}

async function request(
  spec: PullRequestDelivery,
  workspace: Workspace,
  { remote, settings }: { readonly remote: Remote; readonly settings: readonly GitSetting[] },
  branch: Extract<DeliveryResult, { type: 'delivered' }>,
): Promise<DeliveryResult> {
  const { home, runId, env, signal } = spec;
  const known = settings.map(({ key, value }) => [key, value] as const);
  const place = { cwd: workspace.repository, home, runId, settings: known };
  const forge = await openForge({ remoteUrl: remote.url, ...place, env, signal });
  if ('type' in forge) return forge;
  try {
    const found = await forge.find(spec.branch);
    if (found?.state === 'closed')
      return blockedDelivery('sink_drifted', [`The pull request ${found.url} was closed without a merge.`]);
    const [title = '', ...rest] = spec.message.trim().split('\n');
    const made =
      found ??
      (await forge.create({
        head: spec.branch,
        base: workspace.branch ?? remote.defaultBranch,
        title: title.slice(0, MAX_TITLE) || `Work of run ${spec.runId}`,
        body: description(spec, rest),
      }));
    return { ...branch, ref: made.url };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof ForgeError)) throw error;
    return blockedDelivery(error.code, [
      `The code is complete on ${remote.name}/${spec.branch}; the pull request failed: ${error.message}`,
    ]);
  }
}

interface Remote {
  readonly name: string;
  readonly url: string;
  readonly defaultBranch: string;
}

/** From the settings of before the agent. */
async function remoteOf(
  { git }: Repository,
  { branch }: Workspace,
  settings: readonly GitSetting[],
): Promise<Remote | null> {
  const value = (key: string) => settings.findLast((setting) => setting.key === key)?.value;
  const names = settings.flatMap(({ key }) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []);
  const upstream = branch === null ? undefined : value(`branch.${branch}.remote`);
  const name = names.find((one) => one === upstream) ?? names.find((one) => one === 'origin') ?? names[0];
  const url = value(`remote.${name}.url`);
  if (name === undefined || url === undefined || url === '') return null;
  const head = await git('symbolic-ref', '--quiet', '--short', `refs/remotes/${name}/HEAD`);
  const defaultBranch =
    head.stdout
      .toString('utf8')
      .trim()
      .slice(name.length + 1) || 'main';
  return { name, url, defaultBranch };
}

/** Pushes without force and without hooks, with the person's own ssh and credentials, inside the cover: ssh reads files of its own. */
async function push(
  spec: PullRequestDelivery,
  { repository: cwd }: Workspace,
  settings: readonly GitSetting[],
  remote: string,
): Promise<DeliveryResult | null> {
  const { home, runId, env, signal } = spec;
  const ref = `refs/heads/${spec.branch}`;
  const args = ['push', '--quiet', '--no-verify', '--', remote, `${ref}:${ref}`];
  const cover = { home, runId, show: [] };
  const pushed = await guardedGit(
    { args, cwd, env, timeoutMs: PUSH_TIMEOUT_MS, cover, signal },
    settings.map(({ key, value }) => [key, value] as const),
  );
  if (pushed.exitCode === 0) return null;
  const words = withoutSecret(pushed.stderr.trim()).slice(0, 500) || 'git push failed';
  if (/rejected|non-fast-forward|fetch first/.test(words))
    return blockedDelivery('sink_drifted', [`${remote}/${spec.branch} holds something else: ${words}`]);
  const refused = /denied|Authentication|could not read Username|not found|does not appear|permission/i.test(
    words,
  );
  return blockedDelivery(refused ? 'sink_not_writable' : 'delivery_failed', [
    `The code is complete on branch ${spec.branch}; pushing it to ${remote} failed: ${words}`,
  ]);
}

function description(
  { runId, proof, notProven = [], proofLines = [], isolation = null }: PullRequestDelivery,
  rest: readonly string[],
): string {
  const checks = proof.length === 0 ? ['No check was recorded.'] : proof.map((line) => `- ${line}`);
  return [
    rest.join('\n').trim(),
    ...(notProven.length === 0 ? [] : [`**${NOT_PROVEN}**: ${notProven.join('; ')}`, '']),
    'Checks that Mayday ran itself on this tree:',
    ...checks,
    '',
    ...proofLines.flatMap((line) => [line, '']),
    ...(isolation === null ? [] : [`Isolation: ${isolationLine(isolation)}`]),
    `Mayday run ${runId}`,
  ]
    .filter((part, at) => part !== '' || at > 0)
    .join('\n')
    .slice(0, MAX_BODY);
}

/**
 * Chooses `gh` where it is installed, otherwise the API of the forge. The token and the address come from the person's environment, never
 * from the repository: a cloned configuration must not make Mayday send a token to another host. Returns the forge, or a blocked delivery
 * that names what is missing.
 */
async function openForge(spec: ForgeSpec): Promise<Forge | DeliveryResult> {
  const viaApi = apiForge(spec);
  if (spec.env['MAYDAY_FORGE_API'] !== undefined && viaApi !== null) return viaApi;
  const viaGh = await ghForge(spec);
  if (viaGh !== null) return viaGh;
  if (viaApi !== null) return viaApi;
  return blockedDelivery('generator_unavailable', [
    'Neither gh nor a token (GH_TOKEN or GITHUB_TOKEN) is there to make the pull request with.',
    `The remote is ${withoutSecret(spec.remoteUrl)}.`,
  ]);
}

/** Removes the password that the address of a remote may hold. */
function withoutSecret(url: string): string {
  return url.replace(/\/\/[^/@]*@/, '//');
}
