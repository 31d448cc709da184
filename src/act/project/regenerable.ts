/**
 * `isRegenerable`, `isInstalled`, `INSTALLED`, `regenerableExcludes`: tell by its name whether a package manager, compiler or test runner
 * can make a folder again.
 */

/** Folders with these names hold no work. */
// biome-ignore format: words stand together
export const INSTALLED: readonly string[] = [
  'node_modules', '.venv', 'venv', '__pycache__', '.pytest_cache', '.mypy_cache', '.ruff_cache', '.tox',
  '.nox', '.gradle', '.next', '.nuxt', '.turbo', '.parcel-cache', '.svelte-kit',
];
/** These can be made again too, but the names are common for real folders: they count only where .gitignore names them. */
// biome-ignore format: words stand together
const ONLY_WHERE_IGNORED: readonly string[] = [
  'target', 'dist', 'build', 'out', 'coverage', '.cache', '.nyc_output', 'tmp',
];

/** For entries that the project ignores: true where a tool can make the entry again. */
export function isRegenerable(name: string): boolean {
  return INSTALLED.includes(name) || ONLY_WHERE_IGNORED.includes(name);
}

/** True where a package manager or test runner made the folder, by its name alone. */
export function isInstalled(name: string): boolean {
  return INSTALLED.includes(name);
}

/** Exclude lines for projects that do not ignore these folders; none for a folder name under which the project tracks files. */
export function regenerableExcludes(trackedPaths: readonly string[]): string {
  const tracked = new Set(trackedPaths.flatMap((path) => path.split('/').slice(0, -1)));
  return INSTALLED.filter((folder) => !tracked.has(folder))
    .map((folder) => `${folder}/\n`)
    .join('');
}
