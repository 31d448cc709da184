/** `listSettings`: what the configuration files of git say now, as data. Git only prints them, and starts nothing that they name. */
import { NO_TRACE } from './closed-environment.ts';
import { locateRepository } from './locate-repository.ts';
import { rawToText, splitNul } from './raw-path.ts';
import { runGit } from './start-git.ts';

export interface GitSetting {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/** Files that name each other, or a pipe, end by it. */
const LIST_TIMEOUT_MS = 60_000;

export async function listSettings(
  folder: string,
  { PATH, HOME, XDG_CONFIG_HOME }: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<GitSetting[]> {
  const place = locateRepository(folder);
  const listing = await runGit({
    args: ['config', '--list', '--show-scope', '-z'],
    cwd: folder,
    env: {
      ...NO_TRACE,
      PATH,
      HOME,
      XDG_CONFIG_HOME,
      ...(place === null ? {} : { GIT_DIR: place.gitDir }),
    },
    timeoutMs: LIST_TIMEOUT_MS,
    signal,
  });
  const parts = splitNul(listing.stdout).map(rawToText);
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, at) => {
    const [scope = '', entry = ''] = parts.slice(2 * at, 2 * at + 2);
    const end = entry.indexOf('\n');
    // A key without a value is true.
    return end === -1
      ? { scope, key: entry, value: 'true' }
      : { scope, key: entry.slice(0, end), value: entry.slice(end + 1) };
  });
}
