/** `withGithubLogs`: the log archive of a workflow run of GitHub, brought into a temporary folder by the REST API. */
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { MaydayError, usageError } from '../../platform/mayday-error.ts';

/** A large archive over a slow line. */
const TIMEOUT_MS = 5 * 60_000;
const ADDRESS = /^https:\/\/([^/]+)\/([^/]+\/[^/]+)\/actions\/runs\/(\d+)/;

/** `run`: its number, or the address of its page. The file is there while `use` runs. */
export async function withGithubLogs<T>(
  run: string,
  env: NodeJS.ProcessEnv,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const [, host, named, listed] = ADDRESS.exec(run) ?? [];
  const repository = named ?? env['GITHUB_REPOSITORY'] ?? '';
  const id = listed ?? run;
  if (!/^\d+$/.test(id) || !/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw usageError(
      'WRONG_OPTION',
      '--github takes the number of a workflow run, or the address of its page',
      [
        [
          'happened',
          `it was given ${JSON.stringify(run)}; GITHUB_REPOSITORY is ${JSON.stringify(repository)}`,
        ],
        ['do', 'mayday diagnose --github https://github.com/OWNER/NAME/actions/runs/123'],
      ],
    );
  const folder = await mkdtemp(join(tmpdir(), 'mayday-logs-'));
  try {
    const path = join(folder, 'logs.zip');
    await download(`${apiOf(env, host)}/repos/${repository}/actions/runs/${id}/logs`, env, path);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function apiOf(env: NodeJS.ProcessEnv, host = 'github.com'): string {
  const fallback = host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`;
  return (env['GITHUB_API_URL'] || fallback).replace(/\/$/, '');
}

/** The API answers with a redirect to the archive; the token does not go along to another host. */
async function download(url: string, env: NodeJS.ProcessEnv, path: string): Promise<void> {
  const token = env['GH_TOKEN'] || env['GITHUB_TOKEN'];
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const headers = {
    accept: 'application/vnd.github+json',
    'user-agent': 'mayday',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const answer = await fetch(url, { headers, signal }).catch((error: unknown) => {
    throw notThere(`GitHub did not answer: ${String(error)}`);
  });
  if (!answer.ok || answer.body === null) throw notThere(`GitHub answered ${answer.status}`);
  await pipeline(
    Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]),
    createWriteStream(path),
  );
}

function notThere(happened: string): MaydayError {
  return new MaydayError('GITHUB_LOGS_MISSING', 'the logs of the workflow run could not be read', [
    ['happened', happened],
    [
      'do',
      'give a token that may read actions (GITHUB_TOKEN), or download the logs and mayday diagnose FILE',
    ],
  ]);
}
