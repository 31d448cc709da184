/**
 * `bundlePrograms`: the command line, its helper programs and the library, each with everything it needs, in a few files side by side.
 * A start from the sources reads 600 modules and takes more than twice the processor time.
 */
import { basename, join } from 'node:path';
import type { ChunkingContext } from 'rolldown';

const ROOT = join(import.meta.dirname, '..');
/** They lie in one folder, where they look for one another. */
const PROGRAMS = {
  main: 'src/cli/main.ts',
  index: 'src/index.ts',
  'keeper-process': 'src/supervise/keeper-process.ts',
  attendant: 'src/platform/container/attendant.ts',
  play: 'src/agents/rehearsal/play.ts',
  'acp-client': 'src/agents/acp/acp-client.ts',
} as const;

/**
 * What is started all day. A file costs a start about a millisecond whatever its size, so the modules that the same ones of these need
 * lie in one file; the others lie where the bundler puts them.
 */
const STARTED_OFTEN = [
  'src/cli/main.ts',
  'src/cli/look/ps.ts',
  'src/cli/run/run.ts',
  'src/supervise/keeper-process.ts',
  'src/platform/container/attendant.ts',
].map((path) => join(ROOT, path));

/** The folder must be two below the package's own: the programs look for the desk from there. Returns the folders of bundled packages. */
export async function bundlePrograms(folder: string): Promise<string[]> {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(PROGRAMS).map(([name, path]) => [name, join(ROOT, path)])),
    platform: 'node',
    external: [/^node:/],
    logLevel: 'silent',
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
  const codeSplitting = { groups: [{ name: filePerUse(), includeDependenciesRecursively: false }] };
  const { output } = await build.write({ dir: folder, ...names, codeSplitting });
  await build.close();
  const modules = output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : []));
  return [...new Set(modules.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []))].toSorted();
}

/** Names the file of a module by the programs that load it when they start. */
function filePerUse(): (id: string, graph: ChunkingContext) => string | null {
  let needed: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  const programs: ReadonlySet<string> = new Set(Object.values(PROGRAMS).map((path) => join(ROOT, path)));
  return (id, graph) => {
    // A program runs when its file is loaded: nothing that others need may lie beside it.
    if (programs.has(id)) return null;
    needed ??= new Map(STARTED_OFTEN.map((path) => [basename(path, '.ts'), neededBy(path, graph)]));
    const users = [...needed].flatMap(([name, modules]) => (modules.has(id) ? [name] : []));
    return users.length === 0 ? null : `for-${users.join('-')}`;
  };
}

function neededBy(path: string, graph: ChunkingContext): ReadonlySet<string> {
  const found = new Set([path]);
  for (const id of found) for (const other of graph.getModuleInfo(id)?.importedIds ?? []) found.add(other);
  return found;
}

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
