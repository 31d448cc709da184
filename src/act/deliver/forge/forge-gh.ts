/** `ghForge`: reaches a forge through `gh`, the person's own program with the person's own login. */
import { z } from 'zod';
import { agentEnvironment } from '../../../platform/process/environment.ts';
import { MaydayError } from '../../../platform/mayday-error.ts';
import { runCommand } from '../../../platform/process/run-command.ts';
import { type Forge, ForgeError, type ForgeSpec, type PullRequest } from './forge.ts';
import { jsonOrNull } from '../../../core/text/json.ts';
import { safeParse } from '../../../platform/safe-parse.ts';
import { onFirstUse } from '../../../core/text/on-first-use.ts';

const TIMEOUT_MS = 60_000;
/** The variables of the person that `gh` needs to be logged in. */
// biome-ignore format: words stand together
const NAMED = ['GH_*', 'GITHUB_TOKEN', 'GITHUB_ENTERPRISE_TOKEN', 'SSH_AUTH_SOCK', 'DBUS_SESSION_BUS_ADDRESS'];

const Listed = onFirstUse(() => z.array(z.looseObject({ url: z.string(), state: z.string() })));

export async function ghForge(spec: ForgeSpec): Promise<Forge | null> {
  const gh = async (...args: string[]) =>
    await runCommand({
      argv: ['gh', ...args],
      cwd: spec.cwd,
      env: { ...agentEnvironment(spec.env, NAMED), GH_PROMPT_DISABLED: '1', NO_COLOR: '1' },
      timeoutMs: TIMEOUT_MS,
      signal: spec.signal,
    });
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
      const [first] = safeParse(Listed(), jsonOrNull(text.slice(Math.max(0, text.indexOf('['))))).data ?? [];
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
