/**
 * `manifestsOf`: one text of everything that decides which dependencies a tree needs. Trees with equal texts need the same setup.
 */
import { oneOf } from '../../core/text/one-of.ts';
import { shadowGit } from '../../platform/git/shadow-git.ts';

/** Over whole entries of `treeEntries`: the path follows a tab. */
const MANIFEST = oneOf(
  /(?:\t|\/)(?:package\.json|package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml|yarn\.lock)$/,
  /(?:\t|\/)(?:bun\.lockb?|\.npmrc|\.yarnrc\.yml|pyproject\.toml|uv\.lock|poetry\.lock|Pipfile(?:\.lock)?)$/,
  /(?:\t|\/)(?:requirements[^/]*\.(?:txt|in)|setup\.(?:py|cfg)|go\.(?:mod|sum|work)|Cargo\.(?:toml|lock))$/,
  /(?:\t|\/)(?:Gemfile(?:\.lock)?|composer\.(?:json|lock)|mix\.(?:exs|lock)|build\.gradle(?:\.kts)?|pom\.xml)$/,
  /(?:\t|\/)(?:\.tool-versions|\.nvmrc)$/,
);
/** Scripts that a package manager runs during an install. Other scripts do not change what is installed. */
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare'];
/** With more manifests than this, whole files are compared, scripts included. */
const MAX_READ = 50;

export async function manifestsOf(
  shadow: string,
  entries: readonly string[],
  signal?: AbortSignal,
): Promise<string> {
  const manifests = entries.filter((entry) => MANIFEST.test(entry));
  const parts: string[] = [];
  for (const entry of manifests) {
    const [facts, path] = entry.split('\t') as [string, string];
    const object = facts.split(' ')[2] as string;
    const isPackage = path.endsWith('package.json') && manifests.length <= MAX_READ;
    parts.push(`${path} ${isPackage ? await withInstallScriptsOnly(shadow, object, signal) : object}`);
  }
  return parts.join('\0');
}

async function withInstallScriptsOnly(
  shadow: string,
  object: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const blob = await shadowGit(shadow, ['cat-file', 'blob', object], { signal });
  try {
    const manifest = JSON.parse(blob.stdout.toString('utf8')) as Record<string, unknown>;
    const scripts = Object.entries((manifest['scripts'] ?? {}) as Record<string, unknown>);
    const kept = scripts.filter(([name]) => INSTALL_SCRIPTS.includes(name));
    return JSON.stringify({ ...manifest, scripts: Object.fromEntries(kept) });
  } catch {
    return object;
  }
}
