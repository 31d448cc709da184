/**
 * `npm run build`: the published package in `dist`: the bundled programs, the types of the library, the desk, the licences of what is
 * bundled. `--checkout`, which `npm ci` calls, leaves out types and licences.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildDesk } from './build-desk.ts';
import { bundlePrograms } from './bundle.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

// An installation without development tools builds nothing: the published package brings everything along.
if (existsSync(join(root, 'node_modules/rolldown'))) {
  await buildDesk();
  const packages = await replacePrograms();
  if (!process.argv.includes('--checkout')) {
    writeTypes();
    writeLicences(packages);
  }
  console.log('build: dist is ready');
}

/** Made beside and moved: a Mayday that starts meanwhile finds all of the old programs or all of the new ones. */
async function replacePrograms(): Promise<string[]> {
  const made = join(dist, 'programs.new');
  const packages = await bundlePrograms(made);
  rmSync(join(dist, 'programs'), { recursive: true, force: true });
  renameSync(made, join(dist, 'programs'));
  return packages;
}

function writeTypes(): void {
  rmSync(join(dist, 'types'), { recursive: true, force: true });
  const { status } = spawnSync('tsc', ['-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
  dropUnreached(join(dist, 'types'));
}

/** Leaves what the types of the library lead to: the compiler also writes those of modules that no user of it sees. */
function dropUnreached(types: string): void {
  const reached = new Set([join(types, 'index.d.ts')]);
  for (const file of reached)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
      /(?:from|import\(|import) ?['"](\.[^'"]+)\.ts['"]/g,
    ))
      reached.add(join(dirname(file), `${path}.d.ts`));
  for (const path of globSync('**/*.d.ts', { cwd: types }))
    if (!reached.has(join(types, path))) rmSync(join(types, path));
}

function writeLicences(packages: readonly string[]): void {
  const texts = packages.map((folder) => {
    const { name, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    return `${name} (${license})\n\n${file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim()}\n`;
  });
  writeFileSync(join(dist, 'licences.txt'), texts.join(`\n${'-'.repeat(80)}\n\n`));
}

interface Manifest {
  readonly name: string;
  readonly license: string;
}
