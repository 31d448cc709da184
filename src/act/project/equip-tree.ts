/**
 * `equipTree`: makes a fresh checkout usable: it copies the ignored files that the project needs, copies or links installed modules
 * (node_modules, .venv), and then runs the setup command.
 */
import { lstat, mkdir, readdir, symlink, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { copyInto, staysInside } from '../../platform/file/copy-into.ts';
import type { SetupLeft } from '../../core/vocabulary/run-options.ts';
import { guardedGit } from '../../platform/git/git.ts';
import type { HiddenHome } from '../../platform/container/hide-home.ts';
import { rawToText, splitNul } from '../../platform/git/raw-path.ts';
import type { SetupOutcome } from '../workspace/workspace.ts';
import { ignoredPaths } from './detect-project.ts';
import { installsOnly, leftWarnings, runSetup } from './set-up.ts';

/** What a workspace or a check tree gets besides its tracked files. */
export interface Equipment {
  /** Ignored files that the work needs (`.env`), as paths or globs. */
  readonly ignoredToCopy: readonly string[];
  readonly nodeModules: 'link' | 'copy' | 'setup';
  readonly setup: string | null;
  /** The set-up that does not run although the repository suggests it. */
  readonly setupLeft?: SetupLeft | undefined;
  readonly setupTimeoutMs: number;
  /** The environment of the setup command: the same that an agent or a check gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly hidden?: HiddenHome | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface EquipSpec extends Equipment {
  /** The person's checkout. */
  readonly from: string;
  readonly to: string;
  readonly isGit: boolean;
  /** True: the dependencies differ from those that the person has installed. */
  readonly manifestsChanged?: boolean;
}

interface Equipped {
  readonly setup: SetupOutcome | null;
  readonly warnings: readonly string[];
  /** Links for the exclude list: the pattern `node_modules/` in a .gitignore does not match a link. */
  readonly linked: readonly string[];
  /** The module folders of the person that were linked or copied. */
  readonly brought: readonly string[];
  /** The ignored files and folders that were named to be copied. */
  readonly named: readonly string[];
}

export async function equipTree(spec: EquipSpec): Promise<Equipped> {
  const warnings: string[] = [];
  const named = await namedFiles(spec);
  for (const path of named) {
    const report = await copyInto(spec.from, spec.to, path, spec.signal);
    await relocateVenv(spec.from, spec.to, path);
    const links = report.skipped.filter((skipped) => skipped !== path);
    if (report.files === 0 && report.skipped.length > 0)
      warnings.push(`${path} was not copied: it is there already, or lies behind a link.`);
    else if (links.length > 0) warnings.push(`${links.length} files of ${path} were not copied.`);
  }
  const linked: string[] = [];
  const folders = await modulesToBring(spec);
  for (const path of folders) {
    // Only node_modules is linked: through a linked .venv an agent would install into the person's own environment.
    if (spec.nodeModules === 'link' && basename(path) === 'node_modules') {
      if (await linkFolder(spec, path)) linked.push(path);
    } else {
      await copyInto(spec.from, spec.to, path, spec.signal);
      await relocateVenv(spec.from, spec.to, path);
    }
  }
  warnings.push(...leftWarnings(spec.setupLeft, folders));
  const isInstalled = spec.setup !== null && installsOnly(spec.setup, folders);
  if (spec.setup === null || isInstalled) return { setup: null, warnings, linked, brought: folders, named };
  const setup = await runSetup(spec.setup, spec.to, spec);
  return { setup, warnings, linked, brought: folders, named };
}

/** A package manager first empties node_modules; through a link it would empty the person's own. */
const INSTALLS = /\b(?:npm|pnpm|yarn|bun)\b[^\n]*\b(?:ci|i|install|add)\b|^\s*(?:yarn|pnpm i)\s*$/;

async function modulesToBring(spec: EquipSpec): Promise<string[]> {
  if (spec.nodeModules === 'setup' || (spec.manifestsChanged && spec.setup !== null)) return [];
  const isOnlyInstall = spec.setup === null || installsOnly(spec.setup, MODULE_FOLDERS);
  if (spec.nodeModules === 'link' && !isOnlyInstall && INSTALLS.test(spec.setup ?? '')) return [];
  return await moduleFolders(spec);
}

async function namedFiles(spec: EquipSpec): Promise<string[]> {
  const patterns = spec.ignoredToCopy
    .map((pattern) => pattern.replace(/^\.\//, '').replace(/\/+$/, ''))
    .filter((pattern) => pattern !== '' && !pattern.startsWith('/') && !pattern.split('/').includes('..'))
    .filter((pattern) => pattern.split('/')[0] !== '.git');
  const literal = patterns.filter((pattern) => !/[*?[]/.test(pattern));
  const globs = patterns.filter((pattern) => !literal.includes(pattern));
  if (globs.length === 0 || !spec.isGit) return literal;
  const listing = await guardedGit({
    args: ['ls-files', '-z', '--others', '--', ...globs.map((glob) => `:(top,glob)${glob}`)],
    cwd: spec.from,
    env: process.env,
    signal: spec.signal,
  });
  return [...new Set([...literal, ...splitNul(listing.stdout).map(rawToText)])];
}

const MODULE_FOLDERS: readonly string[] = ['node_modules', '.venv', 'venv'];

/** In a project of several packages, each one may have its own module folder. */
async function moduleFolders(spec: EquipSpec): Promise<string[]> {
  const found = new Set<string>();
  const isInstalled = async (path: string) =>
    basename(path) === 'node_modules'
      ? (await readdir(join(spec.from, path)).catch(() => null)) !== null
      : await isVenv(join(spec.from, path));
  for (const name of MODULE_FOLDERS) if (await isInstalled(name)) found.add(name);
  if (spec.isGit) {
    for (const entry of await ignoredPaths(spec.from, spec.signal)) {
      const path = entry.replace(/\/$/, '');
      if (MODULE_FOLDERS.includes(basename(path)) && (await isInstalled(path))) found.add(path);
    }
  }
  return [...found];
}

async function linkFolder(spec: EquipSpec, path: string): Promise<boolean> {
  const target = join(spec.to, path);
  if ((await lstat(target).catch(() => null)) !== null) return false;
  const parent = dirname(target);
  // False also for a package that is not in this checkout: it needs no modules.
  if (!(await staysInside(spec.to, parent))) return false;
  await mkdir(parent, { recursive: true });
  await symlink(join(spec.from, path), target);
  return true;
}

/** Scripts and path files are small. A larger file is a program or a library. */
const MAX_TEXT_BYTES = 256 * 1024;
const PATH_FILES = /^(?:.*\.pth|.*\.egg-link|__editable__.*\.py)$/;

async function isVenv(folder: string): Promise<boolean> {
  return (await lstat(join(folder, 'pyvenv.cfg')).catch(() => null))?.isFile() === true;
}

/**
 * Changes the paths in a copied virtual environment to its new place. Its programs and editable installs name the old place, so a check
 * would run the person's sources instead of the candidate's. `path` is below both roots. Without a virtual environment there, nothing
 * happens.
 */
async function relocateVenv(from: string, to: string, path: string): Promise<void> {
  const venv = join(to, path);
  if (!(await isVenv(venv))) return;
  const list = async (folder: string) =>
    (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  const versions = (await list(join(venv, 'lib'))).map((version) => join(version, 'site-packages'));
  const packages = (await Promise.all(versions.map(list))).flat();
  const named = packages.filter((file) => PATH_FILES.test(file.slice(file.lastIndexOf('/') + 1)));
  for (const file of [join(venv, 'pyvenv.cfg'), ...(await list(join(venv, 'bin'))), ...named])
    await rewrite(file, from, to);
}

async function rewrite(file: string, from: string, to: string): Promise<void> {
  const facts = await lstat(file).catch(() => null);
  if (!facts?.isFile() || facts.size > MAX_TEXT_BYTES) return;
  const text = await readFile(file, 'latin1');
  // Only whole paths are replaced: `/home/ann/shop` must not match in `/home/ann/shop2`.
  const moved = ['/', '\n', '"', "'"].reduce((now, end) => now.replaceAll(from + end, to + end), text);
  if (moved !== text && !text.includes('\0')) await writeFile(file, moved, 'latin1');
}
