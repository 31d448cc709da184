/**
 * `readPersonSettings`: reads the person's git configuration before the agent starts: how contents become objects, what is ignored
 * beyond .gitignore, and who the author is. Deliveries use this copy, because an agent can change the configuration later.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readPlainFile } from '../../platform/file/plain-file.ts';
import { personGit } from '../../platform/git/git.ts';
import { splitNul } from '../../platform/git/raw-path.ts';

export interface PersonSettings {
  /** Entries of the form `key\nvalue`, as git lists them. */
  readonly conversion: readonly string[];
  readonly author: { readonly name: string; readonly email: string } | null;
  /** Lines for the exclude file of the run. */
  readonly excludes: string;
}

const CONVERSION =
  /^(?:filter\..*|core\.(?:autocrlf|eol|safecrlf|symlinks|filemode|ignorecase|precomposeunicode|checkroundtripencoding))$/s;
/** An exclude file has some lines. A larger file was named by mistake and is not read. */
const MAX_EXCLUDE_BYTES = 256 * 1024;

export async function readPersonSettings(
  root: string,
  commonDir: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<PersonSettings> {
  // `config` starts no program of the person.
  const config = async (...args: string[]) =>
    await personGit({ args: ['config', ...args], cwd: root, env, signal, mayLeaveProcesses: false });
  const listing = await config('--list', '-z');
  const settings = splitNul(listing.stdout).map((entry) => Buffer.from(entry, 'latin1').toString('utf8'));
  const value = (key: string) =>
    settings.findLast((entry) => entry.startsWith(`${key}\n`))?.slice(key.length + 1) ?? null;
  const name = value('user.name');
  const email = value('user.email');
  // Git itself knows what `~` in a path means; most configurations name none.
  const personal =
    value('core.excludesfile') === null ? null : await config('--type=path', '--get', 'core.excludesFile');
  const home = env['HOME'] ?? homedir();
  const fallback = join(env['XDG_CONFIG_HOME'] ?? join(home, '.config'), 'git/ignore');
  const named = personal?.stdout.toString('utf8').trim() ?? '';
  return {
    conversion: settings.filter((entry) => CONVERSION.test(entry.split('\n', 1)[0] as string)),
    author: name !== null && email !== null ? { name, email } : null,
    excludes: [readSmall(named === '' ? fallback : named), readSmall(join(commonDir, 'info/exclude'))].join(
      '\n',
    ),
  };
}

/** A person may link it; an agent of another run may put a pipe in its place at any moment. */
function readSmall(path: string): string {
  const read = readPlainFile(path, MAX_EXCLUDE_BYTES, { follow: true });
  return read.type === 'text' ? read.text : '';
}
