/** `packPaths`, `unpackPaths`: a set of paths of a tree in few words: a folder of which every file is in the set is one entry, `a/`. */

/** A set that needs more entries than this is not kept. */
const MAX_ENTRIES = 2_000;

/** Null: it is too long to be kept. */
export function packPaths(paths: ReadonlySet<string>, all: readonly string[]): string[] | null {
  const missing = new Set(all.filter((path) => !paths.has(path)).flatMap(foldersOf));
  const packed = new Set(
    all
      .filter((path) => paths.has(path))
      .map((path) => foldersOf(path).find((folder) => !missing.has(folder)) ?? path),
  );
  return packed.size > MAX_ENTRIES ? null : [...packed];
}

export function unpackPaths(packed: readonly string[], all: readonly string[]): Set<string> {
  const entries = new Set(packed);
  return new Set(
    all.filter((path) => entries.has(path) || foldersOf(path).some((folder) => entries.has(folder))),
  );
}

/** From the top, which is `/`, down. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return ['/', ...parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`)];
}
