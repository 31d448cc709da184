/** `workspacePath`, `workspaceText`, `workspaceFiles`, `linesWith`: read a workspace: nothing outside of it, no secret files, bounded. */
import { readdir, realpath } from 'node:fs/promises';
import { join, matchesGlob, relative, resolve, sep } from 'node:path';
import type { WorkspaceEvidence } from '../../core/vocabulary/diagnosis.ts';
import { isInside } from '../../platform/file/inside.ts';
import { openPlainHandle } from '../../platform/file/plain-file.ts';

const FILES_LISTED = 200;
const FILES_SEEN = 20_000;
const MATCHES = 50;
const GREP_FILE_BYTES = 200_000;

/** The start of a text file of the workspace; null where there is none that may be read. */
export async function workspaceText(root: string, path: string, bytes: number): Promise<string | null> {
  const real = await workspacePath(root, path);
  return real === null ? null : await head(real, bytes);
}

async function head(path: string, bytes: number): Promise<string | null> {
  try {
    const file = await openPlainHandle(path);
    try {
      const buffer = Buffer.alloc(bytes);
      const { bytesRead } = await file.read(buffer, 0, bytes, 0);
      const text = buffer.subarray(0, bytesRead);
      return text.includes(0) ? null : text.toString('utf8');
    } finally {
      await file.close();
    }
  } catch {
    return null;
  }
}

/** The files of the workspace that match a glob, bounded. */
export async function workspaceFiles(
  root: string,
  pattern: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const base = await realpath(root);
  const found: string[] = [];
  const folders = [''];
  let seen = 0;
  while (folders.length > 0 && found.length < FILES_LISTED && seen < FILES_SEEN && !signal.aborted) {
    const folder = folders.shift() as string;
    const entries = await readdir(join(base, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      seen += 1;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (isHidden(path)) continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && (pattern === '**' || matchesGlob(path, pattern))) found.push(path);
      if (found.length >= FILES_LISTED) break;
    }
  }
  return found;
}

/** The lines of the workspace that hold a text, bounded. */
export async function linesWith(
  root: string,
  text: string,
  pattern: string,
  signal: AbortSignal,
): Promise<readonly WorkspaceEvidence[]> {
  const matches: WorkspaceEvidence[] = [];
  for (const path of await workspaceFiles(root, pattern, signal)) {
    if (matches.length >= MATCHES || signal.aborted) break;
    const content = await workspaceText(root, path, GREP_FILE_BYTES);
    if (content?.includes(text) !== true) continue;
    for (const [index, line] of content.split('\n').entries())
      if (line.includes(text) && matches.length < MATCHES)
        matches.push({ path, line: index + 1, text: line });
  }
  return matches;
}

/** The real path inside the real root, or null: symbolic links and `..` lead nowhere else. */
export async function workspacePath(root: string, path: string): Promise<string | null> {
  if (path.includes('\0')) return null;
  try {
    const base = await realpath(root);
    const real = await realpath(resolve(base, path));
    return isInside(real, base) && !isHidden(relative(base, real).split(sep).join('/')) ? real : null;
  } catch {
    return null;
  }
}

const FOLDERS: readonly string[] = ['.git', 'node_modules', '.ssh', '.aws', '.gnupg', '.mayday'];
/** `*` stands for any characters of one name. */
// biome-ignore format: words stand together
const FILES: readonly string[] = [
  '.env*', '.npmrc', '.netrc', '.pypirc', 'id_*', '*.pem', '*.key', '*.p12', '*.pfx',
];

const FILE_PATTERNS = FILES.map(
  (name) => new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`),
);

/** A path inside the workspace, with forward slashes. */
function isHidden(path: string): boolean {
  const names = path.split('/');
  const last = names.at(-1) ?? '';
  return names.some((name) => FOLDERS.includes(name)) || FILE_PATTERNS.some((pattern) => pattern.test(last));
}
