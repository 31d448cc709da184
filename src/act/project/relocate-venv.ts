/**
 * `relocateVenv`, `isVenv`: change the paths in a copied virtual environment to its new place. Its programs and editable installs name
 * the old place, so a check would run the person's sources instead of the candidate's.
 */
import { lstat, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Scripts and path files are small. A larger file is a program or a library. */
const MAX_TEXT_BYTES = 256 * 1024;
const PATH_FILES = /^(?:.*\.pth|.*\.egg-link|__editable__.*\.py)$/;

export async function isVenv(folder: string): Promise<boolean> {
  return (await lstat(join(folder, 'pyvenv.cfg')).catch(() => null))?.isFile() === true;
}

/** `path` is below both roots. Without a virtual environment there, nothing happens. */
export async function relocateVenv(from: string, to: string, path: string): Promise<void> {
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
