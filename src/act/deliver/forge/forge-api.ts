/** `apiForge`, `forgePlace`: reach a forge through its REST API (that of GitHub, which other forges offer too). */
import { z } from 'zod';
import { type Forge, ForgeError, type ForgeSpec, type PullRequest } from './forge.ts';
import { safeParse } from '../../../platform/safe-parse.ts';

const TIMEOUT_MS = 30_000;
/** No answer about one pull request is larger. */
const MAX_ANSWER_CHARACTERS = 4 * 1024 * 1024;

const Pull = z.looseObject({
  html_url: z.string(),
  state: z.string(),
  merged_at: z.string().nullish(),
  head: z.looseObject({ ref: z.string() }).optional(),
});

export function apiForge(spec: ForgeSpec): Forge | null {
  const token = spec.env['GH_TOKEN'] || spec.env['GITHUB_TOKEN'];
  const place = forgePlace(spec.remoteUrl);
  const own = spec.env['MAYDAY_FORGE_API'];
  if (token === undefined || token === '' || place === null) return null;
  const { host, owner, name } = place;
  if (own === undefined && host === '') return null;
  const api = own ?? (host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`);
  const root = `${api.replace(/\/$/, '')}/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`;
  const call = async (path: string, body?: object): Promise<unknown> =>
    await ask(`${root}${path}`, token, body, spec.signal);
  return {
    find: async (head) => {
      const query = `?state=all&head=${encodeURIComponent(`${owner}:${head}`)}&per_page=10`;
      const listed = safeParse(z.array(Pull), await call(`/pulls${query}`));
      const found = listed.data?.find((pull) => pull.head === undefined || pull.head.ref === head);
      return found === undefined ? null : toPullRequest(found);
    },
    create: async ({ head, base, title, body }) =>
      toPullRequest(Pull.parse(await call('/pulls', { head, base, title, body }))),
  };
}

function toPullRequest({ html_url, state, merged_at }: z.infer<typeof Pull>): PullRequest {
  return { url: html_url, state: merged_at ? 'merged' : state === 'open' ? 'open' : 'closed' };
}

async function ask(
  url: string,
  token: string,
  body: object | undefined,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'mayday',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    text = (await answer.text()).slice(0, MAX_ANSWER_CHARACTERS);
  } catch (error) {
    signal?.throwIfAborted();
    throw new ForgeError('delivery_failed', `the forge did not answer: ${reason(error)}`);
  }
  if (answer.ok) return parse(text);
  const said = `the forge answered ${answer.status}: ${messageIn(text)}`;
  const refused = answer.status === 401 || answer.status === 403 || answer.status === 404;
  throw new ForgeError(refused ? 'sink_not_writable' : 'delivery_failed', said);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ForgeError('delivery_failed', 'the forge answered with something that is not JSON');
  }
}

function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { message?: unknown };
    if (typeof message === 'string') return message.slice(0, 300);
  } catch {
    // The answer is an error page: its first words are shown.
  }
  return text.replaceAll(/\s+/g, ' ').slice(0, 200);
}

function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: string } | undefined)?.code : undefined;
  return cause ?? (error instanceof Error ? error.message : String(error));
}

/** Reads `git@host:owner/name.git`, `https://host/owner/name`, `ssh://git@host/owner/name.git`, or a folder. */
export function forgePlace(
  url: string,
): { readonly host: string; readonly owner: string; readonly name: string } | null {
  const text = url
    .slice(0, 500)
    .replace(/\/$/, '')
    .replace(/\.git$/, '');
  const isFolder = /^(?:\/|\.|file:)/.test(text);
  const host = isFolder
    ? ''
    : (/^(?:[a-z+]+:\/\/)?(?:[^@/]*@)?([^:/]+)/i.exec(text)?.[1] ?? '').toLowerCase();
  const [owner, name] = text.split(/[:/]/).slice(-2);
  return !owner || !name || (host === '' && !isFolder) ? null : { host, owner, name };
}
