/** Folders that a package manager, compiler or test runner makes again: no work, by their names. */
const FOLDERS: readonly string[] = [
  'node_modules',
  '.venv',
  'venv',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.tox',
  '.nox',
  '.gradle',
  '.next',
  '.nuxt',
  '.turbo',
  '.parcel-cache',
  '.svelte-kit',
];
/** Also made again, but too common as names of real folders to ignore where no .gitignore does. */
const ONLY_WHERE_IGNORED: readonly string[] = [
  'target',
  'dist',
  'build',
  'out',
  'coverage',
  '.cache',
  '.nyc_output',
  'tmp',
];

/** For entries that the project ignores. */
export function isRegenerable(name: string): boolean {
  return FOLDERS.includes(name) || ONLY_WHERE_IGNORED.includes(name);
}

/** Of these, what a package manager or test runner made: no work is in it. */
export function isInstalled(name: string): boolean {
  return FOLDERS.includes(name);
}

/** Exclude lines for projects that forgot to ignore them; none for names under which they track files. */
export function regenerableExcludes(trackedPaths: readonly string[]): string {
  const tracked = new Set(trackedPaths.flatMap((path) => path.split('/').slice(0, -1)));
  return FOLDERS.filter((folder) => !tracked.has(folder))
    .map((folder) => `${folder}/\n`)
    .join('');
}
