/**
 * `bundlePrograms`: the command line, its helper programs and the library as ES modules with everything they need. What a program imports
 * when it needs it lies in a file of its own.
 */
import { join } from 'node:path';

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

/** The folder must be two below the package's own: the programs look for the desk from there. Returns the folders of bundled packages. */
export async function bundlePrograms(folder: string): Promise<string[]> {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(PROGRAMS).map(([name, path]) => [name, join(ROOT, path)])),
    platform: 'node',
    external: [/^node:/],
    logLevel: 'silent',
  });
  const { output } = await build.write({
    dir: folder,
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
    comments: false,
  });
  await build.close();
  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  return [...new Set(modules.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []))].toSorted();
}

const PACKAGE = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
