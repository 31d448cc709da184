/** `buildDesk`, `npm run build:desk`: the page of the desk to `dist/desk`, if it changed. Also part of `npm run build` and of `npm ci`. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const stamp = join(root, 'dist/desk/.made-from');

export async function buildDesk(): Promise<void> {
  // An installation without development tools has no desk to build: the published package brings it along.
  if (!existsSync(join(root, 'node_modules/vite'))) return;
  const hash = createHash('sha256');
  for (const path of globSync(['desk/**/*.*', 'src/{core,http,report}/**/*.ts', 'package-lock.json'], {
    cwd: root,
  }).toSorted())
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  const madeFrom = hash.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === madeFrom) return;
  const { build } = await import('vite');
  await build({ configFile: join(root, 'desk/vite.config.ts') });
  writeFileSync(stamp, madeFrom);
}

if (import.meta.main) {
  await buildDesk();
  console.log('build: dist/desk is ready');
}
