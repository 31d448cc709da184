/**
 * `setup`, called by vitest before the first test: bundles the programs as they are published. The suite starts more than a
 * thousand. The sources as they lie here are started by `test/docs`, the published package by `test/package`.
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
import { bundlePrograms } from '../scripts/bundle.ts';

const ROOT = resolve(import.meta.dirname, '..');
const BUNDLES = join(ROOT, 'node_modules/.cache/mayday-bundles');
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
  await bundlePrograms(join(making, 'dist/programs'));
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
  for (const path of [
    ...paths,
    'test/bundle-mayday.ts',
    'scripts/bundle.ts',
    'scripts/group-modules.ts',
  ].toSorted())
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}

function removeUnused(): void {
  for (const name of readdirSync(BUNDLES)) {
    const path = join(BUNDLES, name);
    if (Date.now() - statSync(path).mtimeMs > UNUSED_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
}
