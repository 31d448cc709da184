/**
 * `ghForge`: reaches a forge through `gh`, the person's own program with the person's own login. It runs inside the cover; the git that it
 * asks reads a stand-in and the remotes of before the agent.
 */
import { z } from 'zod';
import { dirname, isAbsolute } from 'node:path';
import { isWritable } from '../../../platform/file/file-kind.ts';
import { CLOSED } from '../../../platform/git/closed-environment.ts';
import { settingsEnvironment, withStandIn } from '../../../platform/git/git.ts';
import { locateRepository } from '../../../platform/git/locate-repository.ts';
import { personSockets } from '../../../platform/process/outside-programs.ts';
import { systemProgram } from '../../../platform/process/system-program.ts';
import { agentEnvironment } from '../../../platform/process/environment.ts';
import { MaydayError } from '../../../platform/mayday-error.ts';
import { runCommand } from '../../../platform/process/run-command.ts';
import { type Forge, ForgeError, type ForgeSpec, type PullRequest } from './forge.ts';
import { jsonOrNull } from '../../../core/text/json.ts';
import { safeParse } from '../../../platform/safe-parse.ts';

const TIMEOUT_MS = 60_000;
/** The variables of the person that `gh` needs to be logged in. */
// biome-ignore format: words stand together
const NAMED = ['GH_*', 'GITHUB_TOKEN', 'GITHUB_ENTERPRISE_TOKEN', 'SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS'];

/** Where a repository is on the net. */
const REMOTES = /^(?:remote\..*\.(?:url|pushurl|fetch)|branch\..*\.(?:remote|merge)|url\..*)$/s;

const Listed = z.array(z.looseObject({ url: z.string(), state: z.string() }));

export async function ghForge(spec: ForgeSpec): Promise<Forge | null> {
  const { home, runId, cwd, signal } = spec;
  const program = systemProgram('gh');
  // One that an agent may have changed does not reach the session bus, through which it could start programs outside.
  const isOutOfReach = isAbsolute(program) && ![program, dirname(program)].some(isWritable);
  const sockets = isOutOfReach ? {} : personSockets();
  const remotes = settingsEnvironment(spec.settings.filter(([key]) => REMOTES.test(key)));
  const own = { ...agentEnvironment(spec.env, NAMED), ...CLOSED, ...remotes };
  const gh = async (...args: string[]) =>
    await withStandIn({ home, env: spec.env }, locateRepository(cwd), (standIn) =>
      runCommand({
        argv: [program, ...args],
        cwd,
        env: { ...own, GIT_DIR: standIn, GIT_WORK_TREE: cwd, GH_PROMPT_DISABLED: '1', NO_COLOR: '1' },
        timeoutMs: TIMEOUT_MS,
        signal,
        hidden: { home, show: [standIn], inside: { runId, blocker: null }, ...sockets },
      }),
    );
  const present = await gh('--version').then(
    ({ exitCode }) => exitCode === 0,
    (error: unknown) => {
      if (error instanceof MaydayError) return false;
      throw error;
    },
  );
  if (!present) return null;
  const said = async (...args: string[]): Promise<string> => {
    const { exitCode, output } = await gh(...args);
    if (exitCode === 0) return output;
    const words = output.trim().slice(0, 500);
    const refused = /auth|login|permission|HTTP 40[134]|not found/i.test(words);
    throw new ForgeError(
      refused ? 'sink_not_writable' : 'delivery_failed',
      `gh ${args.slice(0, 2).join(' ')}: ${words}`,
    );
  };
  const forge: Forge = {
    find: async (head) => {
      const asked = ['--head', head, '--state', 'all', '--json', 'url,state', '--limit', '10'];
      const text = await said('pr', 'list', ...asked);
      const [first] = safeParse(Listed, jsonOrNull(text.slice(Math.max(0, text.indexOf('['))))).data ?? [];
      return first === undefined ? null : { url: first.url, state: stateOf(first.state) };
    },
    create: async ({ head, base, title, body }) => {
      const asked = ['--head', head, '--base', base, '--title', title, '--body', body];
      const text = await said('pr', 'create', ...asked);
      // Warnings and hints in the output may name other pages.
      const url = /https?:\/\/\S+\/pull\/\d+/.exec(text)?.[0] ?? (await forge.find(head))?.url;
      if (url === undefined) throw new ForgeError('delivery_failed', 'gh made no pull request that it names');
      return { url, state: 'open' };
    },
  };
  return forge;
}

function stateOf(word: string): PullRequest['state'] {
  const state = word.toLowerCase();
  return state === 'open' || state === 'merged' ? state : 'closed';
}
