/**
 * `bundlePackage`: the package as it is published, made anew when something in it changes; returns its folder. Tests and measurements start
 * Mayday from there: in a checkout `bin/mayday.js` starts the sources as soon as one of them is newer than `dist`.
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
import { join } from 'node:path';
import { buildDesk } from './build-desk.ts';
import { bundlePrograms } from './bundle.ts';

const ROOT = join(import.meta.dirname, '..');
const BUNDLES = join(ROOT, 'node_modules/.cache/mayday-bundles');
/** A run of the suite that is still under way may use the one before. */
const UNUSED_AFTER_MS = 24 * 3_600_000;
const COPIED = ['package.json', 'bin', 'drills', 'demo', 'dist/desk'];

export async function bundlePackage(): Promise<string> {
  await buildDesk();
  const folder = join(BUNDLES, fingerprint());
  if (existsSync(folder)) return folder;
  mkdirSync(BUNDLES, { recursive: true });
  removeUnused();
  const making = mkdtempSync(`${folder}-`);
  await bundlePrograms(join(making, 'dist/programs'));
  for (const name of COPIED) cpSync(join(ROOT, name), join(making, name), { recursive: true });
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
  const bundled = ['src/**/*.ts', 'desk/**/*.*', 'bin/*', 'drills/*', 'demo/*', 'package*.json'];
  const bundlers = ['scripts/bundle-package.ts', 'scripts/bundle.ts'];
  for (const path of globSync([...bundled, ...bundlers], { cwd: ROOT }).toSorted())
    hash.update(`${path}\0`).update(readFileSync(join(ROOT, path)));
  return hash.digest('hex').slice(0, 16);
}

function removeUnused(): void {
  for (const name of readdirSync(BUNDLES)) {
    const path = join(BUNDLES, name);
    if (Date.now() - statSync(path).mtimeMs > UNUSED_AFTER_MS) rmSync(path, { recursive: true, force: true });
  }
}
