/** `commentOnPull`: writes a summary as a comment on a pull request; a later one takes the place of the first. */

/** By this line the comment is found again. */
const MARK = '<!-- mayday -->';
/** GitHub takes 65,536 characters. */
const MAX_CHARACTERS = 60_000;
const TIMEOUT_MS = 30_000;

/** Null: it is there. Otherwise why it is not: a comment is worth no failed job. */
export async function commentOnPull(
  pull: string,
  text: string,
  env: NodeJS.ProcessEnv,
): Promise<string | null> {
  const {
    GITHUB_API_URL: api = 'https://api.github.com',
    GITHUB_REPOSITORY: repository,
    INPUT_TOKEN: token,
  } = env;
  if (!/^\d+$/.test(pull) || repository === undefined || token === undefined)
    return 'a comment needs the number of a pull request, GITHUB_REPOSITORY and a token';
  const root = `${api}/repos/${repository}/issues`;
  const call = async (method: string, url: string, body?: object): Promise<unknown> => {
    const answer = await fetch(url, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'mayday',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`GitHub answered ${answer.status} to ${method} ${url}`);
    return await answer.json();
  };
  try {
    const comments = (await call('GET', `${root}/${pull}/comments?per_page=100`)) as {
      id: number;
      body?: string;
    }[];
    const old = comments.find(({ body }) => body?.startsWith(MARK));
    const body = `${MARK}\n${text}`.slice(0, MAX_CHARACTERS);
    if (old === undefined) await call('POST', `${root}/${pull}/comments`, { body });
    else await call('PATCH', `${root}/comments/${old.id}`, { body });
    return null;
  } catch (error) {
    return String(error);
  }
}
