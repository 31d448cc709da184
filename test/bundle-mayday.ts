/**
 * `setup`, called by vitest before the first test: bundles the command line, the keeper and the attendant into a few files.
 * A start from the sources reads 600 modules and takes 0.5 s of processor time, from the bundle 0.2 s; the suite starts
 * more than a thousand. The sources as they lie here are started by `test/docs`, the published package by `test/package`.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';

const ROOT = resolve(import.meta.dirname, '..');
const BUNDLES = join(ROOT, 'node_modules/.cache/mayday-bundles');
/** The programs lie side by side, where they look for one another. */
const PROGRAMS = {
  main: 'src/cli/main.ts',
  'keeper-process': 'src/supervise/keeper-process.ts',
  attendant: 'src/platform/container/attendant.ts',
  play: 'src/agents/rehearsal/play.ts',
  'acp-client': 'src/agents/acp/acp-client.ts',
} as const;
/** A run of the suite that is still under way may use the one before. */
const UNUSED_AFTER_MS = 24 * 3_600_000;

export async function setup(): Promise<void> {
  // The suite inside a test of the suite.
  if (process.env['MAYDAY_UNDER_TEST'] !== undefined) return;
  const { buildDesk } = await import('../scripts/build-desk.ts');
  await buildDesk();
  process.env['MAYDAY_UNDER_TEST'] = join(await bundle(), 'bin/mayday.js');
}

async function bundle(): Promise<string> {
  const folder = join(BUNDLES, fingerprint());
  if (existsSync(folder)) return folder;
  mkdirSync(BUNDLES, { recursive: true });
  removeUnused();
  const making = mkdtempSync(`${folder}-`);
  const build = await rolldown({
    input: Object.fromEntries(Object.entries(PROGRAMS).map(([name, path]) => [name, join(ROOT, path)])),
    platform: 'node',
    external: [/^node:/],
    logLevel: 'silent',
  });
  await build.write({
    dir: join(making, 'dist/cli'),
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await build.close();
  for (const name of ['package.json', 'bin', 'drills', 'demo', 'dist/desk'])
    cpSync(join(ROOT, name), join(making, name), { recursive: true });
  // Tests that start Mayday as another user read it too.
  chmodSync(making, 0o755);
  try {
    renameSync(making, folder);
  } catch (error) {
    // Another run of the suite was faster.
    rmSync(making, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Of everything that is bundled or lies beside it. */
function fingerprint(): string {
  const hash = createHash('sha256');
  const paths = globSync(['src/**/*.ts', 'desk/**/*.*', 'bin/*', 'drills/*', 'demo/*', 'package*.json'], {
    cwd: ROOT,
  });
  for (const path of [...paths, 'test/bundle-mayday.ts'].toSorted())
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}

function removeUnused(): void {
  for (const name of readdirSync(BUNDLES)) {
    const path = join(BUNDLES, name);
    if (Date.now() - statSync(path).mtimeMs > UNUSED_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
}
