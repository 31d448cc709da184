/**
 * `deliverPullRequest`: the sink `pr`. It makes a branch here, pushes it to the remote and makes the pull request. Each step first looks
 * whether it was done before, so that after a failed pull request only the pull request is made.
 */
import { type Isolation, isolationLine } from '../../../core/vocabulary/isolation.ts';
import { runGit, settingsEnvironment } from '../../../platform/git/git.ts';
import { gitStateChanges } from '../../workspace/git-state.ts';
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
  const remote = await remoteOf(repository, workspace);
  if (remote === null)
    return blockedDelivery('generator_unavailable', [
      `The work is on branch ${spec.branch}, but the repository has no remote to make a pull request on.`,
    ]);
  const tampered = await gitStateChanges(workspace);
  const finding = { source: 'git', files: tampered } as const;
  // A push runs programs that the configuration names. After the configuration changed, a person must decide.
  if (tampered.length > 0 && !spec.isApproved(finding)) return approvalRequired(finding);
  const pushed = await push(spec, workspace, repository, remote.name);
  if (pushed !== null) return pushed;
  return await request(spec, workspace, remote, branch);
}

async function request(
  spec: PullRequestDelivery,
  workspace: Workspace,
  remote: Remote,
  branch: Extract<DeliveryResult, { type: 'delivered' }>,
): Promise<DeliveryResult> {
  const { env, signal } = spec;
  const forge = await openForge({ remoteUrl: remote.url, cwd: workspace.repository, env, signal });
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

async function remoteOf({ git }: Repository, { branch }: Workspace): Promise<Remote | null> {
  const names = (await git('remote')).stdout.toString('utf8').split('\n').filter(Boolean);
  const upstream =
    branch === null
      ? ''
      : (await git('config', '--get', `branch.${branch}.remote`)).stdout.toString('utf8').trim();
  const name = names.find((one) => one === upstream) ?? names.find((one) => one === 'origin') ?? names[0];
  if (name === undefined) return null;
  const url = (await git('config', '--get', `remote.${name}.url`)).stdout.toString('utf8').trim();
  const head = await git('symbolic-ref', '--quiet', '--short', `refs/remotes/${name}/HEAD`);
  const defaultBranch =
    head.stdout
      .toString('utf8')
      .trim()
      .slice(name.length + 1) || 'main';
  return url === '' ? null : { name, url, defaultBranch };
}

/** Pushes without force, with the person's own ssh and credentials, and without hooks. */
async function push(
  spec: PullRequestDelivery,
  { repository: cwd }: Workspace,
  { commonDir }: Repository,
  remote: string,
): Promise<DeliveryResult | null> {
  const env = Object.fromEntries(Object.entries(spec.env).filter(([name]) => !name.startsWith('GIT_')));
  const ref = `refs/heads/${spec.branch}`;
  const pushed = await runGit({
    args: ['push', '--quiet', '--no-verify', '--', remote, `${ref}:${ref}`],
    cwd,
    env: {
      ...env,
      LC_ALL: 'C',
      GIT_TERMINAL_PROMPT: '0',
      GIT_DIR: commonDir,
      ...settingsEnvironment([
        ['core.hooksPath', '/dev/null'],
        ['core.fsmonitor', 'false'],
      ]),
    },
    timeoutMs: PUSH_TIMEOUT_MS,
    // The person's ssh may keep its connection for the next one.
    mayLeaveProcesses: true,
    signal: spec.signal,
  });
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
  { runId, proof, isolation = null }: PullRequestDelivery,
  rest: readonly string[],
): string {
  const checks = proof.length === 0 ? ['No check was recorded.'] : proof.map((line) => `- ${line}`);
  return [
    rest.join('\n').trim(),
    'Checks that Mayday ran itself on this tree:',
    ...checks,
    '',
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
