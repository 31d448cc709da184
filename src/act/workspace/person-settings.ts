/**
 * `readPersonSettings`: reads the person's git configuration before the agent starts: how contents become objects, what is ignored
 * beyond .gitignore, and who the author is. Deliveries use this copy, because an agent can change the configuration later.
 * `conversionSettings`: the copy as settings. `filterCover`: filters run inside the cover.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readPlainFile } from '../../platform/file/plain-file.ts';
import { CONVERSION, type GitSettings } from '../../platform/git/git.ts';
import { type GitSetting, listSettings } from '../../platform/git/list-settings.ts';
import type { GitAttributes } from '../../platform/git/stand-in.ts';
import type { GitCall, GitCover } from '../../platform/git/start-git.ts';

export interface PersonSettings {
  readonly all: readonly GitSetting[];
  /** Entries of the form `key\nvalue`, as git lists them. */
  readonly conversion: readonly string[];
  readonly attributes: GitAttributes;
  readonly author: { readonly name: string; readonly email: string } | null;
  /** Lines for the exclude file of the run. */
  readonly excludes: string;
  /** The file with what the person ignores everywhere. */
  readonly excludesFile: string;
}

/** Such a file has some lines. A larger file was named by mistake and is not read. */
const MAX_FILE_BYTES = 256 * 1024;

export async function readPersonSettings(
  root: string,
  commonDir: string,
  env: NodeJS.ProcessEnv,
  signal?: AbortSignal,
): Promise<PersonSettings> {
  const all = await listSettings(root, env, signal);
  const value = (key: string) => all.findLast((setting) => setting.key === key)?.value ?? null;
  const [name, email] = [value('user.name'), value('user.email')];
  const home = env['HOME'] ?? homedir();
  const file = (key: string, fallback: string) =>
    value(key) === null
      ? join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'git', fallback)
      : resolve(root, (value(key) as string).replace(/^~(?=\/)/, home));
  const excludesFile = file('core.excludesfile', 'ignore');
  return {
    all,
    conversion: all
      .filter(({ key }) => key.startsWith('filter.') || CONVERSION.test(key))
      .map((one) => `${one.key}\n${one.value}`),
    attributes: {
      global: readSmall(file('core.attributesfile', 'attributes')),
      own: readSmall(join(commonDir, 'info/attributes')),
    },
    author: name !== null && email !== null ? { name, email } : null,
    excludes: [readSmall(excludesFile), readSmall(join(commonDir, 'info/exclude'))].join('\n'),
    excludesFile,
  };
}

/** A person may link it; an agent of another run may put a pipe in its place at any moment. */
function readSmall(path: string): string {
  const read = readPlainFile(path, MAX_FILE_BYTES, { follow: true });
  return read.type === 'text' ? read.text : '';
}

/** The person's own conversions, as pairs that override every configuration file. */
export function conversionSettings({ conversion }: Pick<PersonSettings, 'conversion'>): GitSettings {
  return conversion.map((entry) => {
    const at = entry.indexOf('\n');
    return at === -1 ? ([entry, 'true'] as const) : ([entry.slice(0, at), entry.slice(at + 1)] as const);
  });
}

/** Without a filter git starts no program, and needs no cover. */
export function filterCover(settings: GitSettings, cover: GitCover): Pick<GitCall, 'cover'> {
  return settings.some(([key]) => /^filter\./i.test(key)) ? { cover } : {};
}
